"""What of grapnel-engine an event touches, by a trace of all: it is to lie together (cmake/layout.cmake)."""
import argparse
import bisect
import collections
import json
import os
import re
import subprocess
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ORDER = f"{ROOT}/cli/event.order"
RULES = """version: 1
hooks:
  - { name: path, on: PreToolUse, when: { tool: [write, edit], path: '**/x' }, deny: No. }
  - { name: command, on: PreToolUse, when: { tool: shell, command: git push, flag: --force }, deny: No. }
  - { name: run, on: PostToolUse, when: { tool: edit }, run: /bin/true }
"""
EVENTS = [
    ("PreToolUse", "Bash", {"command": "git status --short", "description": "Show what changed"}),
    ("PreToolUse", "Bash", {"command": "git push origin main && ls", "description": "Publish\nand look"}),
    ("PreToolUse", "Edit", {"file_path": "src/a.cc", "old_string": "a", "new_string": "b"}),
    ("PostToolUse", "Edit", {"file_path": "src/a.cc", "old_string": "a", "new_string": "b"}),
]
# The kernel's own library is looked through for its clock, which it does not have where programs are traced.
UNSEEN = ["_dl_lookup_symbol_x", "do_lookup_x", "check_match", "rfv.0", "__strcmp_sse2"]


def symbols_of(engine):
    """Where functions and variables begin, and (end, name) of each."""
    found = {}
    for line in subprocess.run(["nm", "-S", "--defined-only", engine], check=True, capture_output=True,
                               text=True).stdout.splitlines():
        parts = line.split()
        if len(parts) == 4 and parts[2] in "tTwWibBdDrRuvV":
            start = int(parts[0], 16)
            found[start] = (start + int(parts[1], 16), parts[3])
    return sorted(found), found


def touched_at(addresses, symbols):
    """Where those begin that have the addresses: one name may stand for several."""
    starts, found = symbols
    begun = set()
    for address in addresses:
        start = starts[max(bisect.bisect_right(starts, address) - 1, 0)]
        if start <= address < found[start][0]:
            begun.add(start)
    return begun


def addresses_of(engine, home, event):
    """Of the instructions and the data that one event needs, with hook files that were read before."""
    kind, tool, tool_input = event
    payload = json.dumps({"session_id": "s", "cwd": f"{home}/project", "hook_event_name": kind, "tool_name": tool,
                          "tool_input": tool_input})
    env = {"PATH": "/usr/bin:/bin", "HOME": home, "XDG_RUNTIME_DIR": f"{home}/run", "GRAPNEL_SERVE": "off"}
    out = f"{home}/trace"
    command = [engine, "fire", "--as", "claude"]
    watch = ["valgrind", "--tool=lackey", "--trace-mem=yes", f"--log-file={out}"]
    for prefix in ([], watch):
        subprocess.run(prefix + command, input=payload, env=env, cwd=f"{home}/project", text=True, check=True,
                       capture_output=True)
    with open(out) as trace:
        return {int(found, 16) for found in re.findall(r"^[ I][ LSM] ([0-9a-f]+),", trace.read(), re.MULTILINE)}


def main(arguments):
    parser = argparse.ArgumentParser(description="writes cli/event.order: what an event touches")
    parser.add_argument("build", help="a build directory of the bench preset")
    args = parser.parse_args(arguments)
    engine = f"{os.path.abspath(args.build)}/cli/grapnel-engine"
    symbols = symbols_of(engine)
    uses = collections.Counter()
    with tempfile.TemporaryDirectory() as home:
        for directory in ("project", ".config/agents"):
            os.makedirs(f"{home}/{directory}")
        os.mkdir(f"{home}/run", 0o700)
        with open(f"{home}/.config/agents/grapnel.yaml", "w") as rules:
            rules.write(RULES)
        time.sleep(0.1)  # what has just been written is not kept for the next process
        for event in EVENTS:
            uses.update(touched_at(addresses_of(engine, home, event), symbols))
    with open(ORDER, "w") as out:
        out.writelines(f"{name}\n" for name in UNSEEN)
        # What every event needs comes first; what is of one library stays together.
        for start, _ in sorted(uses.items(), key=lambda use: (-use[1], use[0])):
            out.write(f"{symbols[1][start][1]}\n")
    print(f"order: {len(uses)} functions and variables in {os.path.relpath(ORDER)}")
    return 0
