"""One run: starts the hosts, runs the rounds, measures memory and load, and writes the results to one JSON file."""
import argparse
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

from harness import machine, rounds, stats, table

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MEMORY_RUNS = 5
LOAD_ROUNDS = 3
LOAD_MILLISECONDS = 1000


def installed(build):
    """Copies of the programs, written as an installation writes them: in one piece (tools/write-whole says why)."""
    place = f"{build}/installed"
    os.makedirs(place, exist_ok=True)
    for path in ("cli/grapnel", "cli/grapnel-engine", "bench/scenario_host", "bench/native_hook", "bench/native_worker"):
        name = os.path.basename(path)
        shutil.copy(f"{build}/{path}", f"{place}/{name}.new")
        os.replace(f"{place}/{name}.new", f"{place}/{name}")
        subprocess.run([f"{HERE}/../tools/write-whole", f"{place}/{name}"], check=True)
    return place


class Programs:
    """The programs to start, and their environment."""

    def __init__(self, build, gemini):
        programs = installed(build)
        self.host = f"{programs}/scenario_host"
        self.grapnel = f"{programs}/grapnel"
        self.stages = f"{build}/bench/stage_bench"
        self.hook = f"{programs}/native_hook"
        self.gemini = gemini
        # Without SHLVL, the shells that Gemini starts would read ~/.bashrc, and Grapnel would look better than it is.
        self.env = {**os.environ, "SHLVL": "2", "BENCH_GEMINI": gemini or ""}

    def hosts(self):
        large = {**self.env, "BENCH_BALLAST_MB": "1024"}
        yield "grapnel", [self.host, self.grapnel], self.env
        yield "grapnel-1g", [self.host, self.grapnel, "1024"], self.env
        if not self.gemini:
            return
        for suffix, env in (("", self.env), ("-1g", large)):
            yield "gemini" + suffix, self.gemini_argv(), env
            yield "node" + suffix, ["node", f"{HERE}/peers/by_hand.mjs", self.hook], env
            yield "python" + suffix, ["python3", f"{HERE}/peers/by_hand.py", self.hook], env

    def gemini_argv(self, *more):
        return ["node", f"{HERE}/peers/gemini.mjs", self.gemini, self.hook, *more]

    def memory(self, hooks):
        """Resident kilobytes of each engine."""
        found = {"grapnel": [self.host, "--memory", str(hooks)]}
        if self.gemini:
            found["gemini"] = self.gemini_argv(str(hooks))
        return {who: int(subprocess.run(argv, env=self.env, capture_output=True, text=True, check=True).stdout)
                for who, argv in found.items()}


@contextlib.contextmanager
def started(programs):
    hosts = {name: rounds.Host(argv, env) for name, argv, env in programs.hosts()}
    try:
        yield hosts
    finally:
        for host in hosts.values():
            host.close()


def tell(text):
    print(text, file=sys.stderr, flush=True)


def summed_up(samples):
    """Summarises a series, in nanoseconds."""
    values = [x for of_round in samples.values() for x in of_round]
    low, high = stats.median_interval(values)
    return {"n": len(values), "p50": stats.median(values), "low": low, "high": high, "p99": stats.quantile(values, 0.99)}


def measure_memory(programs):
    samples = {}
    for number in range(MEMORY_RUNS):
        for hooks in (1, 10000):
            for who, kilobytes in programs.memory(hooks).items():
                samples.setdefault(f"memory-{hooks}/{who}", {})[number] = [kilobytes]
    return samples


def measure_load(hosts, with_peers):
    """By number of threads and engine: the rates of all rounds, and the medians of the other values."""
    found = {}
    for number in range(LOAD_ROUNDS):
        for threads in table.CONCURRENCIES:
            asked = [("grapnel", f"load {who} {threads} {LOAD_MILLISECONDS}", who) 
                     for who in ("floor", "kept", "grapnel")]
            if with_peers:
                asked.append(("gemini", f"load {threads} {LOAD_MILLISECONDS}", "gemini"))
            for host, line, who in asked if number % 2 == 0 else reversed(asked):
                found.setdefault(threads, {}).setdefault(who, []).append(json.loads(hosts[host].ask(line)))
    return {str(threads): {who: {key: stats.median([one[key] for one in runs]) for key in runs[0]}
                           for who, runs in by_who.items()} for threads, by_who in found.items()}


def measure_stages(programs, seconds):
    """Nanoseconds of each stage, measured with Google Benchmark."""
    with tempfile.NamedTemporaryFile() as out:
        subprocess.run([programs.stages, f"--benchmark_out={out.name}", "--benchmark_out_format=json",
                        f"--benchmark_min_time={seconds}", "--benchmark_repetitions=3",
                        "--benchmark_report_aggregates_only=true"],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        found = json.load(out)["benchmarks"]
    return {one["run_name"]: round(one["cpu_time" if not one["run_name"].startswith("worker") else "real_time"], 1)
            for one in found if one["aggregate_name"] == "median"}


def ratios(samples):
    """Each row's ratio to its base, and each peer's to Grapnel, with intervals."""
    out = {}
    for row in table.ROWS + table.LIMITS:
        if row.measured not in samples:
            continue
        pairs = {peer: (other, row.measured) for peer, other in row.peers.items()}
        if row.base:
            floors = [name for name in table.FLOORS.get(row.base, [row.base]) if name in samples]
            pairs["base"] = (row.measured, min(floors, key=lambda name: summed_up(samples[name])["p50"]))
        out[row.measured] = {
            key: dict(zip(("of", "to", "ratio", "low", "high"),
                          (of, to, *stats.ratio_interval(samples[of], samples[to]))))
            for key, (of, to) in pairs.items() if of in samples and to in samples}
    return out


def write(path, result):
    """Numbers of a measurement have four digits."""
    with open(path, "w") as out:
        json.dump(json.loads(json.dumps(result), parse_float=lambda x: float(f"{float(x):.4g}")), out, indent=1)
        out.write("\n")


def parse(arguments):
    parser = argparse.ArgumentParser(description="measures Grapnel beside the floor and, if asked, beside peers")
    parser.add_argument("build", help="a build directory of the bench preset")
    parser.add_argument("out", help="the JSON file to write")
    parser.add_argument("--gemini", metavar="DIR", help="the package of gemini-cli-core: also measure the peers")
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--seconds", type=int, default=240, help="start no further round after this time")
    parser.add_argument("--stage-seconds", type=float, default=0.2)
    return parser.parse_args(arguments)


def main(arguments):
    args = parse(arguments)
    programs = Programs(args.build, args.gemini)
    began = time.monotonic()
    tell("stages…")
    stages = measure_stages(programs, args.stage_seconds)
    tell("memory…")
    samples = measure_memory(programs)
    series = table.all_series(args.gemini is not None)
    with started(programs) as hosts:
        noise = rounds.Noise(hosts.values())

        def progress(number):
            if number % 25 == 0:
                tell(f"round {number} of {args.rounds}, {time.monotonic() - began:.0f} s")
        samples |= rounds.run(hosts, series, args.rounds, args.seconds, progress)
        tell("load…")
        load = measure_load(hosts, args.gemini is not None)
        noise = noise.percent()
    result = {
        "machine": machine.describe(),
        "run": {"date": time.strftime("%Y-%m-%d"), "rounds": max(len(s) for s in samples.values()),
                "seconds": round(time.monotonic() - began), "noise_percent": noise},
        "series": {name: summed_up(found) for name, found in sorted(samples.items())},
        "ratios": ratios(samples),
        "load": load,
        "stages": stages,
    }
    write(args.out, result)
    tell(f"measured in {result['run']['seconds']} s; others used {noise['others']} % of the machine meanwhile, "
         f"{noise['stolen']} % were stolen")
