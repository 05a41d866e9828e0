#include "call/patch.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace grapnel::call {
namespace {

/// Names as the tables write them: `<x` is only read, `?x` a stray line names.
std::vector<std::string> show(const std::vector<PatchFile>& files) {
  std::vector<std::string> out;
  for (const PatchFile& file : files) {
    const char* const mark = file.by == PatchFile::By::Header ? "" : file.by == PatchFile::By::Source ? "<" : "?";
    out.push_back(mark + file.name);
  }
  return out;
}

TEST(Patch, NamesItsFiles) {
  struct PatchCase {
    const char* note;
    const char* text;
    std::vector<std::string> want;
  };
  const PatchCase cases[] = {
      {"no patch", "hello", {}},
      {"all headings",
       "*** Begin Patch\n*** Add File: a\n+x\n*** Update File: b c\n*** Move to: d\n*** Delete File: e\n*** End Patch",
       {"a", "b c", "d", "e"}},
      {"unified", "--- a/x.c\t2024\n+++ b/x.c\t2024\n@@ -1 +1 @@\n", {"x.c", "a/x.c", "b/x.c"}},
      {"new file", "--- /dev/null\n+++ b/new\n", {"new", "b/new"}},
      {"renamed", "diff --git a/x b/y\nrename from x\nrename to y\n", {"x", "y"}},
      {"copied", "copy from x\ncopy to y\n", {"<x", "y"}},
      {"copied, and changed too", "copy from x\ncopy to y\n--- a/x\n+++ b/x\n", {"x", "y", "a/x", "b/x"}},
      {"quoted", "--- \"a/x y\"\n+++ \"b/x y\"\n", {"x y", "a/x y", "b/x y"}},
      {"one side alone", "text\n--- a/x\nmore\n", {"?x", "?a/x"}},
      {"a context diff", "*** x\n--- y\n***************\n", {"?y"}},
      {"a line of a list", "- a\n--- b\n+++ c\n", {"b", "c"}},
  };
  for (const PatchCase& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(show(files_of_patch(c.text)), c.want);
  }
}

}  // namespace
}  // namespace grapnel::call
