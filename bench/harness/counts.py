"""Counts the instructions of the in-process paths with callgrind, and compares them with bench/baseline.json."""
import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BASELINE = f"{HERE}/baseline.json"
TOLERANCE = 0.05
TIMES = 10


def count(program, path):
    """The instructions of one run of the path. The environment is nearly empty, because its size would change the counts."""
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", "--collect-atstart=no", "--toggle-collect=grapnel_counted",
         "--callgrind-out-file=/dev/null", program, path, str(TIMES)],
        env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True, check=False)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or not found:
        sys.exit(f"counts: {path}: {done.stderr}")
    return int(found.group(1)) // TIMES


def count_all(program):
    paths = subprocess.run([program], capture_output=True, text=True, check=True).stdout.split()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads:
        return dict(zip(paths, threads.map(lambda path: count(program, path), paths)))


def compare(baseline, counts):
    """The report: a pair (line, is_failure) for each path whose count has changed."""
    for path in sorted(baseline.keys() | counts.keys()):
        if path not in counts:
            yield f"{path}: is in the baseline only", True
        elif path not in baseline:
            yield f"{path}: {counts[path]:,} instructions, and not in the baseline yet", True
        else:
            change = counts[path] / baseline[path] - 1
            line = f"{path}: {baseline[path]:,} → {counts[path]:,} instructions ({change:+.1%})"
            if change > TOLERANCE:
                yield line, True
            elif change < -TOLERANCE:
                yield line + ", better: `make bench-baseline` keeps it so", False


def main(arguments):
    parser = argparse.ArgumentParser(description="counts instructions and compares them with bench/baseline.json")
    parser.add_argument("build", help="a build directory of the bench preset")
    parser.add_argument("--update", action="store_true", help="write the baseline instead")
    args = parser.parse_args(arguments)
    counts = count_all(f"{args.build}/bench/count_bench")
    if args.update:
        with open(BASELINE, "w") as out:
            json.dump(counts, out, indent=1)
            out.write("\n")
        print(f"counts: {len(counts)} paths in {os.path.relpath(BASELINE)}")
        return 0
    with open(BASELINE) as file:
        found = list(compare(json.load(file), counts))
    for line, is_failure in found:
        print(("worse: " if is_failure else "") + line)
    failures = sum(is_failure for _, is_failure in found)
    print(f"counts: {len(counts)} paths, {failures} of them over {TOLERANCE:.0%} from the baseline")
    return 1 if failures else 0
