"""The scenarios and their goals: one row for each row of the table of goals on the performance page."""
import collections

from harness.rounds import Series

Row = collections.namedtuple("Row", "title measured base limit unit peers")
# limit: the goal for the median, in `unit`, or for the ratio to `base` if the unit is ×.
# peers: the series of other engines that do the same work, by the peer's name.


def row(title, measured, limit=None, base=None, unit=None, peers=""):
    scenario = measured.split("/")[0]
    named = [p.partition("=") for p in peers.split()]
    return Row(title, measured, base, limit, unit or ("×" if base else "µs"),
               {who: f"{other or scenario}/{who}" for who, _, other in named})


ALL = "gemini node python"
ROWS = [
    row("no hook matches, 10 registered", "none-10/grapnel", 0.2, peers="gemini"),
    row("no hook matches, 1,000 registered", "none-1000/grapnel", 0.5, peers="gemini"),
    row("no hook matches, 10,000 registered", "none-10000/grapnel", 0.5, peers="gemini"),
    row("rule with a glob, asked", "rule-glob/grapnel", 2),
    row("rule with a glob, denies", "rule-glob-deny/grapnel", 2),
    row("rule on a plain shell command", "rule-plain/grapnel", 5),
    row("rule on a command that needs the parser", "rule-parsed/grapnel", 1.5, "rule-parsed/floor"),
    row("one command hook, `sh -c 'exit 0'`", "sh/grapnel", 1.05, "sh/floor"),
    row("the same by a small shell (`GRAPNEL_SHELL`)", "small-sh/grapnel", 0.25, "sh/floor"),
    row("that shell, contained (`sandbox: contain`, the default)", "sh-contain/grapnel", 1.05, "sh-off/grapnel"),
    row("that shell in a guard (`sandbox: guard`)", "sh-guard/grapnel", 1.10, "sh-off/grapnel"),
    row("one command hook, `bash -c 'exit 0'`", "bash/grapnel", 1.05, "bash/floor", peers=ALL),
    row("command without shell syntax", "native/grapnel", 1.15, "native/floor", peers=ALL),
    row("ten parallel `sh` hooks", "ten-sh/grapnel", 1.10, "ten-sh/floor"),
    row("ten parallel `bash` hooks", "ten-bash/grapnel", 1.10, "ten-bash/floor", peers=ALL),
    row("ten parallel native hooks", "ten-native/grapnel", 1.10, "ten-native/floor", peers=ALL),
    row("10,000 registered, one `bash` hook runs", "registered-10000/grapnel", 1.05, "bash/floor", peers="gemini"),
    row("1 MB input, a `sh` hook reads it", "megabyte/grapnel", 1.15, "megabyte/floor"),
    row("the same, from the payload's text on", "megabyte-text/grapnel", 1.15, "megabyte/floor"),
    row("1 MB input, a `bash` hook reads it", "megabyte-bash/grapnel", peers=ALL),
    row("1 MB input, a native hook reads it", "megabyte-native/grapnel", 1.15, "megabyte-native/floor"),
    row("1 MB input, ten `sh` hooks read it", "megabyte-ten/grapnel", 1.15, "megabyte-ten/floor"),
    row("1 MB input, ten `bash` hooks read it", "megabyte-ten-bash/grapnel", peers=ALL),
    row("host with 1 GiB resident, one `bash` hook", "large-host/grapnel", 1.05, "bash/grapnel", peers=ALL),
    row("worker round trip, native, on one core", "worker-native-one-core/grapnel", 10, "worker-native-one-core/floor",
        "µs"),
    row("worker round trip, native, wherever", "worker-native/grapnel", 10, "worker-native/floor", "µs"),
    row("worker round trip, Python, on one core", "worker-python-one-core/grapnel", 15, "worker-python-one-core/floor",
        "µs"),
    row("worker round trip, Python, wherever", "worker-python/grapnel", 15, "worker-python/floor", "µs"),
    row("a hook in `sh` that reads its event, cold", "sh-hook/cold"),
    row("the same, warm", "sh-hook/warm", 0.5, "sh-hook/cold"),
    row("the same as a worker", "sh-hook/worker", base="sh-hook/cold"),
    row("a hook in Python that reads its event, cold", "python-hook/cold"),
    row("the same, warm", "python-hook/warm", 6000, "python-hook/cold", "µs"),
    row("the same as a worker", "python-hook/worker", base="python-hook/cold"),
    row("a hook in Node that reads its event, cold", "node-hook/cold"),
    row("the same, warm", "node-hook/warm", 10000, "node-hook/cold", "µs"),
    row("the same as a worker", "node-hook/worker", base="node-hook/cold"),
    row("`grapnel fire`, 50 rules, no match, no server", "command-50/grapnel", 1.6, "true/floor",
        peers="node=start python=start gemini=start"),
    row("the same, 1,000 HOOK.md directories", "command-1000-dirs/grapnel", 2, "true/floor"),
    row("the same, 50 rules, with `serve`", "served-50/grapnel", 0.3, "true/floor",
        peers="node=start python=start gemini=start"),
    row("memory with one hook", "memory-1/grapnel", 6, unit="MB", peers="gemini"),
    row("memory with 10,000 hooks", "memory-10000/grapnel", 25, unit="MB", peers="gemini"),
]

# The best that any engine could reach, measured in the same rounds. These rows have no goal.
LIMITS = [
    row("a shell with what every hook is promised (group, signals, directory, descriptors, deadline)", "sh/guarded",
        base="sh/floor"),
    row("a native hook with the same", "native/guarded", base="native/floor"),
    row("that shell behind a decision that is not timed: processor caches as an engine leaves them", "sh/guarded-behind",
        base="sh/floor"),
    row("that native hook behind one", "native/guarded-behind", base="native/floor"),
    row("the other way round: a rule that denies, in process, right behind a shell", "rule-glob-deny/grapnel-behind",
        base="rule-glob-deny/grapnel"),
    row("the small shell alone", "small-sh/floor", base="sh/floor"),
    row("ten shells from one thread", "ten-sh/floor", base="ten-sh/floor-2-threads"),
    row("ten native hooks from one thread", "ten-native/floor", base="ten-native/floor-2-threads"),
    row("a program without a C library that reads its input and ends", "native/floor", base="true/floor"),
    row("the full program, `--version`", "start/engine", base="true/floor"),
    row("one look at each of 1,000 files", "look-1000/floor", base="true/floor"),
]

# The floor of ten at once is whichever of these is faster on the machine.
FLOORS = {f"{name}/floor": [f"{name}/floor", f"{name}/floor-2-threads"]
          for name in ("ten-sh", "ten-bash", "ten-native", "megabyte-ten")}

# The real agents: how people call them, and their package.
AGENTS = {"claude": ("Claude Code", "claude-code"), "codex": ("Codex", "codex"), "qwen": ("Qwen Code", "qwen-code")}
# How one hook is set up there.
WAYS = {"none": "no hook", "native": "the agent runs it", "bridge": "Grapnel runs it (`grapnel install`)",
        "served": "the same, with `serve`", "warm": "the same, `warm: true`", "rule": "a rule instead, with `serve`"}

CONCURRENCIES = [1, 2, 4, 8, 16, 32, 64]
LOAD_LIMIT = 0.95     # of the bare loop's rate
LOAD_P99_LIMIT = 1.5  # of the bare loop's p99
FAIR_LIMIT = 0.5      # slowest thread's share of the fastest's

SAMPLES = {"python": 1, "node": 1, "ten": 2, "megabyte": 2, "command": 2, "start": 1}
SAMPLES_ELSE = 4
RARELY = {"node-hook/cold": 4, "node-hook/warm": 4, "python-hook/cold": 2, "python-hook/warm": 2, "start/node": 10, "start/python": 5, "start/gemini": 40, "megabyte-ten-bash/gemini": 4,
          "megabyte-ten-bash/node": 4, "megabyte-ten-bash/python": 4, "ten-bash/gemini": 2}


def series_of(name):
    scenario, who = name.split("/")
    host, ask = {"gemini": "gemini", "node": "node", "python": "python"}.get(who, "grapnel"), name
    if scenario == "large-host":
        host, ask = host + "-1g", f"bash/{who}"
    if scenario == "start":
        host = "grapnel"
    return Series(name, host, ask, SAMPLES.get(scenario.split("-")[0], SAMPLES_ELSE), RARELY.get(name, 1))


def all_series(with_peers):
    """Every series that the rows need, each once."""
    names = {}
    for one in ROWS + LIMITS:
        if one.unit == "MB":
            continue
        names[one.measured] = True
        for base in FLOORS.get(one.base, [one.base] if one.base else []):
            names[base] = True
        if with_peers:
            names.update((peer, True) for peer in one.peers.values())
    return [series_of(name) for name in names]
