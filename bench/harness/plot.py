"""The plot: medians of one run on a logarithmic axis, with a line for each scenario and a mark for each engine."""
import math
from xml.sax.saxutils import escape

from harness import table

WHO = {"floor": ("#8a8f98", "beside it, mostly the floor"), "grapnel": ("#1f6feb", "Grapnel"), "gemini": ("#d1242f", "gemini-cli-core"),
       "node": ("#bf8700", "Node by hand"), "python": ("#8250df", "Python by hand")}
IN_AGENTS = {"none": ("#8a8f98", "no hook"), "native": ("#d1242f", "the agent runs the hook"),
             "bridge": ("#8250df", "Grapnel runs it"), "served": ("#bf8700", "with a server"), "warm": ("#1a7f37", "warm"),
             "rule": ("#1f6feb", "a rule instead")}
LEFT, RIGHT, TOP, STEP, WIDTH = 330, 30, 64, 22, 960


def points(row, results):
    """The nanoseconds that each engine took."""
    found = {"grapnel": results["series"][row.measured]["p50"]}
    ratios = results["ratios"].get(row.measured, {})
    if "base" in ratios:
        found["floor"] = results["series"][ratios["base"]["to"]]["p50"]
    for peer in row.peers:
        if peer in ratios:
            found[peer] = results["series"][ratios[peer]["of"]]["p50"]
    return found


def tick_text(exponent):
    unit, shift = [("ns", 0), ("µs", 3), ("ms", 6), ("s", 9)][exponent // 3]
    return f"{10 ** (exponent - shift)} {unit}"


def draw_scale(low, high, height, x):
    for exponent in range(low, high + 1):
        yield (f'<line x1="{x(10 ** exponent):.1f}" y1="{TOP}" x2="{x(10 ** exponent):.1f}" y2="{height - 30}" stroke="#e4e6ea"/>'
               f'<text x="{x(10 ** exponent):.1f}" y="{height - 12}" text-anchor="middle" fill="#57606a">{tick_text(exponent)}</text>')


def draw_rows(heading, who, rows):
    """A plot; each row is a title, with the nanoseconds of each mark."""
    values = [value for _, found in rows for value in found.values()]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    height = TOP + STEP * len(rows) + 40

    def x(value):
        return LEFT + (math.log10(value) - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" font-family="sans-serif" font-size="12">',
           f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
           f'<text x="12" y="24" font-size="15" font-weight="bold">{heading} (logarithmic; further left is faster)</text>']
    at = 12
    for colour, name in who.values():
        out.append(f'<circle cx="{at + 5}" cy="44" r="5" fill="{colour}"/><text x="{at + 15}" y="48">{name}</text>')
        at += 40 + 7 * len(name)
    out.extend(draw_scale(low, high, height, x))
    for i, (title, found) in enumerate(rows):
        y = TOP + STEP * i + STEP / 2
        out.append(f'<text x="{LEFT - 10}" y="{y + 4:.1f}" text-anchor="end">{escape(title)}</text>'
                   f'<line x1="{x(min(found.values())):.1f}" y1="{y:.1f}" x2="{x(max(found.values())):.1f}" y2="{y:.1f}" stroke="#c8ccd2"/>')
        for one in sorted(found, key=list(who).index, reverse=True):
            out.append(f'<circle cx="{x(found[one]):.1f}" cy="{y:.1f}" r="{4 if one == "grapnel" else 5}" fill="{who[one][0]}"/>')
    return "\n".join(out + ["</svg>"]) + "\n"


def draw(results):
    return draw_rows("Medians of one run", WHO, [
        (row.title.replace("`", ""), points(row, results)) for row in table.ROWS
        if row.unit != "MB" and row.measured in results["series"]])


def draw_agents(results):
    """Until a tool starts in the real agents."""
    rows = [(name, {way: results["series"][f"{agent}/{way}/tool"]["p50"] for way in IN_AGENTS
                    if f"{agent}/{way}/tool" in results["series"]}) for agent, (name, _) in table.AGENTS.items()]
    return draw_rows("Until a tool starts, with one hook in Python", IN_AGENTS, [row for row in rows if row[1]])
