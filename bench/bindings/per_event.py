"""The same in Python: nanoseconds per event, for one that nobody wants and for one with a callback. PYTHONPATH finds the package."""
import time

import grapnel

PAYLOAD = '{"tool_name": "Bash", "tool_input": {"command": "git status"}}'
EVENTS = 10_000


def measure(engine: grapnel.Engine) -> int:
    best = None
    for _ in range(5):
        start = time.perf_counter_ns()
        for _ in range(EVENTS):
            engine.fire(PAYLOAD, name="PreToolUse")
        took = (time.perf_counter_ns() - start) // EVENTS
        best = took if best is None else min(best, took)
    return best


engine = grapnel.Engine(use_hook_files=False)
nobody = measure(engine)


@engine.on("PreToolUse", timeout=0)
def no_opinion(event):
    return None


print(nobody, measure(engine))
engine.close()
