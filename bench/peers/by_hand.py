"""The same work written by hand in Python: starts the hook, writes the payload, collects the outputs, reads the answer.

    python3 by_hand.py NATIVE_HOOK
"""
import concurrent.futures
import json
import os
import subprocess
import sys
import time

native_hook = sys.argv[1]
ballast = [bytes([1]) * (1 << 20) for _ in range(int(os.environ.get("BENCH_BALLAST_MB", "0")))]
threads = concurrent.futures.ThreadPoolExecutor(10)
LINE = "  if (name == \"x\\n\") return '\\t' + name;\n"


def source_text(size):
    return (LINE * (size // len(LINE) + 1))[:size]


def run(argv, text):
    done = subprocess.run(argv, input=text, capture_output=True, check=True)
    return json.loads(done.stdout) if done.stdout else None


def job(argv, count=1, size=1000):
    event = {"hook_event_name": "BeforeTool", "session_id": "8d3c0e6a-session", "cwd": "/tmp",
             "tool_name": "run_shell_command", "tool_input": {"command": source_text(size - 250)}}

    def work():
        text = json.dumps(event).encode()
        if count == 1:
            run(argv, text)
        else:
            list(threads.map(lambda _: run(argv, text), range(count)))
    return work


def bash(command):
    return ["/bin/bash", "-c", command]


SCENARIOS = {
    "bash": job(bash("exit 0")),
    "native": job([native_hook]),
    "ten-bash": job(bash("exit 0"), 10),
    "ten-native": job([native_hook], 10),
    "megabyte-bash": job(bash("cat >/dev/null"), 1, 1000000),
    "megabyte-ten-bash": job(bash("cat >/dev/null"), 10, 1000000),
}


def nanoseconds_of(work):
    start = time.perf_counter_ns()
    work()
    return time.perf_counter_ns() - start


for line in sys.stdin:
    name, _, samples = line.strip().partition(" ")
    scenario = SCENARIOS.get(name.split("/")[0])
    if scenario:
        print(*(nanoseconds_of(scenario) for _ in range(int(samples))), flush=True)
    else:
        print("unknown", flush=True)
