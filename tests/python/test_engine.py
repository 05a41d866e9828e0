"""The engine from Python, blocking: events, callbacks, threads, closing, forks."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest

import grapnel
from grapnel import Engine, GrapnelError

PUSH = {"event": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "git push --force"}}


def opened(test: unittest.TestCase, **options) -> Engine:
    engine = Engine(use_hook_files=False, **options)
    test.addCleanup(engine.close)
    return engine


async def later(event):
    return {"verdict": "ask", "reason": "sure?"}


def raise_error(event):
    raise ValueError("broken")


class Callbacks(unittest.TestCase):
    # Each row: a callback, and the verdict and a part of the reason, with on_failure="closed".
    ROWS = (
        (lambda event: {"verdict": "deny", "reason": "no"}, "deny", "no"),
        (later, "ask", "sure?"),
        (lambda event: None, "pass", None),
        (lambda event: {}, "pass", None),
        (raise_error, "deny", "broken"),
        (lambda event: event["no such member"], "deny", "no such member"),
        (lambda event: {"verdict": "maybe"}, "deny", "maybe"),
        (lambda event: 3, "deny", "not a JSON object"),
        (lambda event: object(), "deny", "not JSON serializable"),
    )

    def test_answers(self):
        for timeout in (0, 600):
            for callback, verdict, reason in self.ROWS:
                with self.subTest(verdict=verdict, reason=reason, timeout=timeout):
                    engine = opened(self)
                    engine.on("PreToolUse", name="it", on_failure="closed", timeout=timeout)(callback)
                    decision = engine.fire(PUSH)
                    self.assertEqual(decision.verdict, verdict)
                    self.assertIn(reason or "", decision.reason or "")

    def test_the_decorator_keeps_the_function(self):
        engine = opened(self)

        @engine.on("PreToolUse", "Stop", tools="Bash")
        def guard(event):
            return {"rewrite": {"input_patch": {"command": "git push"}}, "context": "changed", "data": [1]}

        self.assertEqual(guard({})["context"], "changed")
        decision = engine.fire(PUSH)
        self.assertEqual(decision.input_for(PUSH["tool_input"]), {"command": "git push"})
        self.assertEqual(decision.context_text, "changed")
        self.assertEqual(decision.json["data"], [{"hook": "guard", "data": [1]}])
        self.assertEqual(decision.hooks[0].fate, "ran")
        self.assertTrue(engine.off("guard"))
        self.assertFalse(engine.off("guard"))
        self.assertEqual(engine.fire(PUSH).origin, "no-hook")

    def test_one_that_never_returns(self):
        engine = opened(self)
        may_end = threading.Event()
        engine.on("PreToolUse", name="it", on_failure="closed", timeout=0.05)(lambda event: may_end.wait())
        decision = engine.fire(PUSH)
        engine.close()
        may_end.set()
        self.assertEqual(decision.origin, "fail-closed")
        self.assertIn("timed out", decision.reason)

    def test_one_that_fires_events(self):
        engine = opened(self)
        engine.on("Stop", name="inner")(lambda event: {"verdict": "deny", "reason": "inner"})
        engine.on("PreToolUse", name="outer")(lambda event: {"verdict": engine.fire({"event": "Stop"}).verdict})
        self.assertEqual(engine.fire(PUSH).verdict, "deny")


class Engines(unittest.TestCase):
    def test_threads(self):
        engine = opened(self)
        engine.on("PreToolUse", name="it", timeout=0)(lambda event: {"verdict": "deny"})
        verdicts = []

        def fire():
            for _ in range(50):
                verdicts.append(engine.fire(PUSH).verdict)

        threads = [threading.Thread(target=fire) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(verdicts, ["deny"] * 400)

    def test_closed_while_threads_fire(self):
        engine = opened(self)
        fired = threading.Event()
        codes = []
        engine.on("PreToolUse", name="it", timeout=0)(lambda event: fired.set())

        def fire():
            try:
                while True:
                    engine.fire(PUSH)
            except GrapnelError as error:
                codes.append(error.code)

        threads = [threading.Thread(target=fire) for _ in range(4)]
        for thread in threads:
            thread.start()
        fired.wait()
        engine.close()
        for thread in threads:
            thread.join()
        self.assertEqual(codes, ["closed"] * 4)
        engine.close()

    def test_fork(self):
        engine = opened(self)
        child = os.fork()
        if child == 0:
            try:
                engine.fire(PUSH)
            except GrapnelError as error:
                with Engine(use_hook_files=False) as own:
                    own.on("PreToolUse", name="it")(lambda event: {"verdict": "deny"})
                    os._exit(0 if error.code == "refused" and own.fire(PUSH).denied else 1)
            os._exit(2)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
        self.assertEqual(engine.fire(PUSH).verdict, "pass")

    def test_mistakes(self):
        with self.assertRaisesRegex(GrapnelError, "'limits' has no member") as caught:
            Engine(limits={"max_outptu": 1})
        self.assertEqual(caught.exception.code, "bad input")
        engine = opened(self)
        for event in ({"event": "PreTolUse"}, "{"):
            with self.assertRaises(GrapnelError):
                engine.fire(event)
        with self.assertRaisesRegex(GrapnelError, "is not an event"):
            engine.on("Nothing")(later)
        with self.assertRaises(TypeError):
            Engine(project="x")

    def test_an_agents_words(self):
        engine = opened(self)
        engine.on("PreToolUse", name="it")(lambda event: {"verdict": "deny", "reason": event["tool_name"]})
        gemini = {"hook_event_name": "BeforeTool", "tool_name": "run_shell_command", "tool_input": {"command": "ls"}}
        self.assertEqual(engine.fire(gemini, dialect="gemini").reason, "Bash")

    def test_files(self):
        with tempfile.TemporaryDirectory() as place:
            directory = pathlib.Path(place)
            rule = "version: 1\nhooks:\n  - name: NAME\n    on: PreToolUse\n    when: {command: 'git push*'}\n    deny: Not now.\n"
            path = directory / "rules.yaml"
            path.write_text(rule.replace("NAME", "one"))
            engine = opened(
                self, project_dir=directory, configs=[{"path": str(path)}], reload_interval=-0.001, journal=directory / "journal"
            )
            self.assertEqual(engine.problems(), [])
            self.assertEqual(engine.fire(PUSH).reason, "Not now.")
            self.assertTrue((directory / "journal" / "records.jsonl").exists())
            self.assertTrue(engine.explain(PUSH)[0]["runs"])
            path.write_text(rule.replace("NAME", "two"))
            self.assertEqual(engine.hooks()[0]["name"], "one")
            engine.reload()
            self.assertEqual(engine.hooks()[0]["name"], "two")
            engine.set_enabled(False, "two")
            self.assertEqual(engine.fire(PUSH).verdict, "pass")
            engine.set_enabled(True, "two")
            engine.set_enabled(False)
            self.assertFalse(engine.enabled)
            self.assertEqual(engine.fire(PUSH).origin, "engine")
            engine.journal(False)

    def test_a_process_ends_with_an_open_engine(self):
        code = (
            "import grapnel, threading\n"
            "engine = grapnel.Engine(use_hook_files=False)\n"
            "engine.on('Stop', name='x')(lambda event: {'context': 'x'})\n"
            "print(engine.fire({'event': 'Stop'}).context_text)\n"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("x\n", "", 0))

    def test_a_process_ends_right_after_an_event(self):
        # What a thread of the engine still does then must not need the interpreter, which is on its way out.
        for body, timeout in (("return {'context': 'x'}", 60), ("time.sleep(0.2)", 0.02)):
            code = (
                "import grapnel, time\n"
                "with grapnel.Engine(use_hook_files=False) as engine:\n"
                f"    @engine.on('Stop', timeout={timeout})\n"
                f"    def hook(event):\n        {body}\n"
                "    print(engine.fire({'event': 'Stop'}).origin)\n"
            )
            for _ in range(20):
                done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
                self.assertEqual((done.stderr, done.returncode), ("", 0), body)

    def test_versions(self):
        self.assertRegex(grapnel.__version__, r"^\d+\.\d+\.\d+")
        self.assertEqual([grapnel.tool_access(tool) for tool in ("Read", "Edit", "Bash")], ["readonly", "write", "execute"])
        self.assertTrue(json.dumps(list(grapnel.__all__)))
        with self.assertRaises(AttributeError):
            grapnel.nothing


if __name__ == "__main__":
    unittest.main()
