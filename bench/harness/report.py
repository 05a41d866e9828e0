"""Writes the results as tables, as the plot, and into the generated parts of docs/performance.md."""
import json
import os
import re
import sys

from harness import plot, table

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RESULTS = f"{HERE}/results"
PAGE = os.path.join(os.path.dirname(HERE), "docs", "performance.md")
PEERS = {"gemini": "gemini-cli-core", "node": "Node by hand", "python": "Python by hand"}
STARTS = {"gemini": "its import", "node": "bare Node", "python": "bare Python"}


def number(value):
    """The number with three significant digits."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 1 else f"{value:.3f}"


def amount(value, unit):
    """A value of a series as text. The value is in kilobytes if the unit is MB, otherwise in nanoseconds."""
    if unit == "MB":
        return f"{number(value / 1024)} MB"
    return f"{number(value / 1e3)} µs" if value < 1e6 else f"{number(value / 1e6)} ms"


def span(entry):
    return f"{number(entry['ratio'])} ({number(entry['low'])}–{number(entry['high'])})"


def verdict(value, low, high, limit):
    """Whether a goal is met, and whether noise could be the reason."""
    word = "yes" if value <= limit else "**no**"
    return word + (" (within noise)" if low <= limit <= high else "")


def goal_text(row):
    if row.limit is None:
        return "–"
    return f"≤ {row.limit:g} {row.unit}"


def judge(row, results):
    """Whether the row's goal is met."""
    if row.limit is None:
        return "–"
    if row.unit == "×":
        base = results["ratios"][row.measured]["base"]
        return verdict(base["ratio"], base["low"], base["high"], row.limit)
    scale = 1000 if row.unit == "µs" else 1024
    return verdict(*(results["series"][row.measured][key] / scale for key in ("p50", "low", "high")), row.limit)


def goal_lines(results):
    yield "| scenario | goal | Grapnel: median | p99 | beside it: median | ratio (95 %) | reached |"
    yield "|---|---|---|---|---|---|---|"
    for row in table.ROWS:
        if row.measured not in results["series"]:
            continue
        one = results["series"][row.measured]
        base = results["ratios"].get(row.measured, {}).get("base")
        beside = amount(results["series"][base["to"]]["p50"], row.unit) if base else "–"
        yield (f"| {row.title} | {goal_text(row)} | {amount(one['p50'], row.unit)} | {amount(one['p99'], row.unit)} "
               f"| {beside} | {span(base) if base else '–'} | {judge(row, results)} |")


def limit_lines(results):
    yield "| at best | median | beside it: median | ratio (95 %) |"
    yield "|---|---|---|---|"
    for row in table.LIMITS:
        base = results["ratios"].get(row.measured, {}).get("base")
        if base:
            yield (f"| {row.title} | {amount(results['series'][row.measured]['p50'], row.unit)} "
                   f"| {amount(results['series'][base['to']]['p50'], row.unit)} | {span(base)} |")


def load_lines(results):
    yield "| events at once | bare loop: processes a second | with a hook's promises | share | Grapnel | share " \
          "| p99 of a shell hook, bare / Grapnel | slowest of fastest thread, bare / Grapnel |" + (" gemini-cli-core |" if "gemini" in next(iter(results["load"].values())) else "")
    yield "|---|---|---|---|---|---|---|---|" + ("---|" if "gemini" in next(iter(results["load"].values())) else "")
    for threads, by_who in results["load"].items():
        bare, kept, ours = by_who["floor"], by_who["kept"], by_who["grapnel"]
        line = (f"| {threads} | {number(bare['rate'])} | {number(kept['rate'])} | {100 * kept['rate'] / bare['rate']:.0f} % "
                f"| {number(ours['rate'])} | {100 * ours['rate'] / bare['rate']:.0f} % "
                f"| {amount(bare['p99'], 'µs')} / {amount(ours['p99'], 'µs')} "
                f"| {number(bare['slowest'] / bare['fastest'])} / {number(ours['slowest'] / ours['fastest'])} |")
        yield line + (f" {number(by_who['gemini']['rate'])} |" if "gemini" in by_who else "")


def load_verdict(results):
    """One line for each of the three goals under load."""
    pairs = [(threads, by_who["floor"], by_who["grapnel"]) for threads, by_who in results["load"].items()]
    share = min(pairs, key=lambda p: p[2]["rate"] / p[1]["rate"])
    slow = max(pairs, key=lambda p: p[2]["p99"] / p[1]["p99"])
    fair = min(pairs, key=lambda p: p[2]["slowest"] / p[2]["fastest"])
    rows = [(f"rate, of the bare loop's (worst: {share[0]} at once)", share[2]["rate"] / share[1]["rate"],
             f"≥ {table.LOAD_LIMIT:g}", share[2]["rate"] / share[1]["rate"] >= table.LOAD_LIMIT),
            (f"p99, of the bare loop's (worst: {slow[0]} at once)", slow[2]["p99"] / slow[1]["p99"],
             f"≤ {table.LOAD_P99_LIMIT:g}", slow[2]["p99"] / slow[1]["p99"] <= table.LOAD_P99_LIMIT),
            (f"slowest thread, of the fastest (worst: {fair[0]} at once)", fair[2]["slowest"] / fair[2]["fastest"],
             f"≥ {table.FAIR_LIMIT:g}", fair[2]["slowest"] / fair[2]["fastest"] >= table.FAIR_LIMIT)]
    yield "| under load | goal | measured | reached |"
    yield "|---|---|---|---|"
    for title, value, goal, is_met in rows:
        yield f"| {title} | {goal} | {number(value)} | {'yes' if is_met else '**no**'} |"


def peer_lines(results):
    yield "| scenario | Grapnel | " + " | ".join(PEERS.values()) + " |"
    yield "|---|---|" + "---|" * len(PEERS)
    for row in table.ROWS:
        found = results["ratios"].get(row.measured, {})
        if not any(peer in found for peer in PEERS):
            continue
        cells = []
        for peer in PEERS:
            if peer not in found:
                cells.append("–")
                continue
            of = results["series"][found[peer]["of"]]["p50"]
            what = f"{STARTS[peer]}: " if found[peer]["of"].startswith("start/") else ""
            cells.append(f"{what}{amount(of, row.unit)} = {span(found[peer])} ×")
        yield f"| {row.title} | {amount(results['series'][row.measured]['p50'], row.unit)} | " + " | ".join(cells) + " |"


def agents_run_lines(results):
    at, run = results["machine"], results["run"]
    named = ", ".join(f"{name} {results['versions'][package]}" for name, package in table.AGENTS.values())
    yield (f"{named}; {machine_text(at)}; {run['date']}, {run['rounds']} runs of each agent in each way. "
           f"Meanwhile the hypervisor took {run['stolen_percent']} %.")


def agent_lines(results):
    """What a hook costs in each agent, in each way, compared with no hook."""
    yield "| agent | the hook | it has its event after | the tool starts after | more than without a hook | the call ends after |"
    yield "|---|---|---|---|---|---|"
    series = results["series"]
    for agent, (name, _) in table.AGENTS.items():
        for way, title in table.WAYS.items():
            tool, none, hook, call = (series.get(f"{agent}/{which}") for which in
                                      (f"{way}/tool", "none/tool", f"{way}/hook", f"{way}/call"))
            if not tool:
                continue
            more = f"{(tool['p50'] - none['p50']) / 1e6:.1f} ms" if way != "none" else "–"
            yield (f"| {name} | {title} | {amount(hook['p50'], 'µs') if hook else '–'} | {amount(tool['p50'], 'µs')} "
                   f"({number(tool['low'] / 1e6)}–{number(tool['high'] / 1e6)}) | {more} | {amount(call['p50'], 'µs')} |")


# The three numbers at the top of the page: what they say, with the measured series.
TOP = [("An event that no hook wants costs **{}**, with ten thousand hooks.", "none-10000/grapnel"),
       ("A rule that looks at a shell command answers in **{}**.", "rule-plain/grapnel"),
       ("An agent that asks the server through `grapnel fire` has its answer after **{}**.", "served-50/grapnel")]


def top_lines(results):
    for text, measured in TOP:
        if measured in results["series"]:
            yield "- " + text.format(amount(results["series"][measured]["p50"], "µs"))


def stage_lines(results):
    yield "| stage | median |"
    yield "|---|---|"
    for name, nanoseconds in results["stages"].items():
        yield f"| {name} | {amount(nanoseconds, 'µs')} |"


def machine_text(at):
    return (f"{at['cpu']}, {at['cores']} cores{' of a virtual machine' if at['virtual'] else ''}, {at['memory_gb']} GB, "
            f"{at['system']}, Linux {at['kernel']}")


def run_lines(results):
    run = results["run"]
    yield (f"{machine_text(results['machine'])}; {run['date']}, {run['rounds']} rounds. Meanwhile others used "
           f"{run['noise_percent']['others']} % of the machine, and the hypervisor took {run['noise_percent']['stolen']} %.")


def load_results(name):
    try:
        with open(f"{RESULTS}/{name}.json") as file:
            return json.load(file)
    except FileNotFoundError:
        return None


def generated():
    """Every generated text, by the name of its marker on the page."""
    bench, peers, agents = load_results("bench"), load_results("peers"), load_results("agents")
    parts = {}
    if bench:
        parts |= {"top": top_lines(bench), "run": run_lines(bench), "goals": goal_lines(bench), "load": load_lines(bench),
                  "load-goals": load_verdict(bench), "limits": limit_lines(bench), "stages": stage_lines(bench)}
    if peers:
        parts |= {"peers-run": run_lines(peers), "peers": peer_lines(peers), "peers-load": load_lines(peers)}
    if agents:
        parts |= {"agents-run": agents_run_lines(agents), "agents": agent_lines(agents)}
    return {name: "\n".join(lines) for name, lines in parts.items()}


def page_with(page, parts):
    """The page with new text between `<!-- NAME -->` and `<!-- /NAME -->`."""
    for name, text in parts.items():
        page, count = re.subn(f"(<!-- {name} -->\n).*?(<!-- /{name} -->)", lambda m: m[1] + text + "\n" + m[2], page,
                              flags=re.DOTALL)
        if count != 1:
            raise SystemExit(f"report: the page has no place for {name}")
    return page


def files():
    """Every file to write, with its text."""
    parts = generated()
    with open(PAGE) as page:
        yield PAGE, page_with(page.read(), parts)
    if "goals" in parts:
        yield f"{RESULTS}/bench.md", "\n\n".join(parts[name] for name in ("run", "goals", "limits", "load-goals", "load", "stages")) + "\n"
    if "peers" in parts:
        yield f"{RESULTS}/peers.md", "\n\n".join(parts[name] for name in ("peers-run", "peers", "peers-load")) + "\n"
    if "agents" in parts:
        yield f"{RESULTS}/agents.md", "\n\n".join(parts[name] for name in ("agents-run", "agents")) + "\n"
        yield f"{RESULTS}/agents.svg", plot.draw_agents(load_results("agents"))
    results = load_results("peers") or load_results("bench")
    if results:
        yield f"{RESULTS}/plot.svg", plot.draw(results)


def main(arguments):
    is_check = arguments == ["--check"]
    stale = []
    for path, text in files():
        if os.path.exists(path) and open(path).read() == text:
            continue
        stale.append(os.path.basename(path))
        if not is_check:
            with open(path, "w") as file:
                file.write(text)
    if is_check and stale:
        sys.exit(f"report: not what the results say, run bench/report: {', '.join(stale)}")
