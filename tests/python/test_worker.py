"""The kit for workers: alone, and as a worker of a real engine."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import grapnel

PLAIN = """
from grapnel import worker

@worker.serve
def judge(event):
    if event["tool_input"]["command"] == "raise":
        raise ValueError("broken")
    if event["tool_input"]["command"] != "ls":
        return {"verdict": "deny", "reason": "only ls"}
"""
MANY = PLAIN.replace("def judge", "async def judge")


def lines(*commands):
    events = ({"id": str(i), "event": {"tool_name": "Bash", "tool_input": {"command": c}}} for i, c in enumerate(commands))
    return "".join(json.dumps(event) + "\n" for event in events)


class Workers(unittest.TestCase):
    def test_lines(self):
        for program in (PLAIN, MANY):
            done = subprocess.run([sys.executable, "-c", program], input=lines("ls", "rm"), capture_output=True, text=True)
            answers = sorted((json.loads(line) for line in done.stdout.splitlines()), key=lambda answer: answer["id"])
            self.assertEqual(answers, [{"id": "0"}, {"id": "1", "verdict": "deny", "reason": "only ls"}], done.stderr)
            self.assertEqual(done.returncode, 0)

    def test_one_that_raises_ends(self):
        for program in (PLAIN, MANY):
            done = subprocess.run([sys.executable, "-c", program], input=lines("raise"), capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn("ValueError: broken", done.stderr)

    def test_it_does_not_load_the_library(self):
        code = "import sys, grapnel.worker; sys.exit('ctypes' in sys.modules)"
        self.assertEqual(subprocess.run([sys.executable, "-c", code]).returncode, 0)

    def test_in_an_engine(self):
        with tempfile.TemporaryDirectory() as directory:
            program = pathlib.Path(directory, "worker.py")
            program.write_text(PLAIN)
            rules = pathlib.Path(directory, "rules.yaml")
            rules.write_text(
                f"version: 1\nhooks:\n  - name: only-ls\n    on: PreToolUse\n    worker: {sys.executable} {program}\n"
            )
            with grapnel.Engine(use_hook_files=False, project_dir=directory, configs=[{"path": str(rules)}]) as engine:
                fire = lambda command: engine.fire({"event": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": command}})
                self.assertEqual([fire("ls").verdict, fire("rm").reason], ["pass", "only ls"])


if __name__ == "__main__":
    unittest.main()
