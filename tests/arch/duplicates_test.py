"""tools/duplicates, held against small files: `duplicates_test.py TOOLS-DIRECTORY`."""

import importlib.machinery
import importlib.util
import os
import sys
import tempfile
import unittest

TOOL = os.path.join(sys.argv.pop(1), "duplicates")
loader = importlib.machinery.SourceFileLoader("duplicates", TOOL)
duplicates = importlib.util.module_from_spec(importlib.util.spec_from_loader("duplicates", loader))
loader.exec_module(duplicates)

LINES = [f"call_{i}(x);" for i in range(6)]


def pairs(*texts):
    files = {}
    with tempfile.TemporaryDirectory() as directory:
        for i, text in enumerate(texts):
            path = os.path.join(directory, "file")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            files[f"{i}.cc"] = duplicates.code_lines(path)
    return [(*pair[:4:2], pair[4]) for pair in duplicates.find_pairs(files, 6)]


class Duplicates(unittest.TestCase):
    def test_six_lines_are_found(self):
        text = "\n".join(LINES)
        self.assertEqual(pairs(text, "first(y);\n" + text), [("0.cc", "1.cc", 6)])

    def test_five_lines_are_not(self):
        self.assertEqual(pairs("\n".join(LINES[:5]), "\n".join(LINES[:5])), [])

    def test_layout_and_comments_do_not_hide_them(self):
        spread = "\n\n".join(f"   {line}  // {i}" for i, line in enumerate(LINES))
        self.assertEqual(pairs("\n".join(LINES), spread), [("0.cc", "1.cc", 6)])

    def test_the_longest_run_is_one_pair(self):
        text = "\n".join(LINES + ["seventh(x);"])
        self.assertEqual(pairs(text, text), [("0.cc", "1.cc", 7)])

    def test_a_file_may_repeat_itself(self):
        self.assertEqual(pairs("\n".join(LINES + ["between(x);"] + LINES)), [("0.cc", "0.cc", 6)])

    def test_includes_braces_and_lists_of_names_do_not_count(self):
        text = "\n".join(["#include <a>", "{", "}", "};", "using a::b;", "Alpha,", "Beta,", "namespace x {"] * 3)
        self.assertEqual(pairs(text, text), [])


if __name__ == "__main__":
    unittest.main()
