// Draws the lanes, and finds the mark under the pointer. Shape and row carry the meaning; colour repeats it.
import { plain } from "../text.js";
import { ticks } from "./scale.js";

export const kAxis = 24;
const strictness = { pass: 0, allow: 1, ask: 2, deny: 3 };

/** The colours of the style sheet, which canvas does not know by name. */
export const palette = (element) => {
  const probe = document.createElement("span");
  element.append(probe);
  const colours = {};
  for (const name of ["ink", "soft", "line", "stripe", "deny", "ask", "allow", "pass", "rewrite", "failed", "accent", "bg"]) {
    probe.style.color = `var(--${name})`;
    colours[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  return colours;
};

const grown = (n) => Math.min(2.5, Math.log2(n || 1) * 0.6);

const shapes = {
  deny(ink, x, y) {
    ink.beginPath();
    ink.moveTo(x, y - 7);
    ink.lineTo(x + 7, y + 6);
    ink.lineTo(x - 7, y + 6);
    ink.fill();
  },
  ask(ink, x, y) {
    ink.beginPath();
    ink.moveTo(x, y - 8);
    ink.lineTo(x + 7, y);
    ink.lineTo(x, y + 8);
    ink.lineTo(x - 7, y);
    ink.fill();
  },
  // Bars grow a little with the number of events that they stand for.
  allow: (ink, x, y, n) => ink.fillRect(x - 1.25, y - 7, 2.5 + grown(n), 14),
  pass: (ink, x, y, n) => ink.fillRect(x - 0.75, y - 5, 1.5 + grown(n), 10),
  rewrite: (ink, x, y) => ink.fillRect(x - 4, y - 4, 8, 8),
  inject(ink, x, y) {
    ink.lineWidth = 1.6;
    ink.strokeRect(x - 3.2, y - 3.2, 6.4, 6.4);
  },
  failed(ink, x, y) {
    ink.lineWidth = 1.8;
    ink.beginPath();
    ink.arc(x, y, 3.6, 0, Math.PI * 2);
    ink.stroke();
  },
};

/** What a mark looks like: the name of a shape, which is also that of its colour. */
export const look = (mark) => (mark.kind === "verdict" || mark.kind === "tool" ? mark.v : mark.kind);
const colourOf = (colours, mark) => colours[look(mark) === "inject" ? "rewrite" : look(mark)];
const isStop = (mark) => mark.kind === "verdict" && (mark.v === "deny" || mark.v === "ask");

/** The middle of a row of a lane, from its top. */
const rowAt = (view, row) => view.head + [0, 10, 26, 42][row ?? 2];

/** What is drawn last lies on top. */
const depth = (mark) => (mark.kind === "tool" ? 0 : mark.kind === "verdict" ? 1 + strictness[mark.v] : 6);

const overlaps = (taken, from, to) => taken.some(([a, b]) => from < b && to > a);

const shorten = (ink, text, most) => {
  if (ink.measureText(text).width <= most) return text;
  let length = Math.floor((text.length * most) / ink.measureText(text).width);
  while (length > 1 && ink.measureText(`${text.slice(0, length)}…`).width > most) length--;
  return `${text.slice(0, length)}…`;
};

/** Labels only where they cover nothing: above the verdicts, else below. */
const drawLabels = (ink, marks, view, top, colours) => {
  const strips = { 1: [], 3: [] };
  for (const mark of marks) {
    if (mark.row !== 2) strips[mark.row]?.push([mark.x - 7, mark.x + 7]);
  }
  ink.font = view.mono;
  ink.textAlign = "left";
  const wanted = marks.filter((mark) => mark.label && (isStop(mark) || mark.kind === "rewrite"));
  wanted.sort((a, b) => strictness[b.v] - strictness[a.v] || a.x - b.x);
  for (const mark of wanted) {
    const text = shorten(ink, plain(String(mark.label).slice(0, 120)), view.width < 700 ? 110 : 200);
    const width = ink.measureText(text).width;
    // At the right end there may be only room to the left.
    const fits = mark.x + 11 + width <= view.width;
    const from = fits ? mark.x + 9 : mark.x - 9 - width;
    if (from < view.left) continue;
    for (const row of [1, 3]) {
      const own = mark.row === row ? 0 : 5;
      if (overlaps(strips[row], from - own, from + width + 5)) continue;
      strips[row].push([from - 5, from + width + 8]);
      ink.fillStyle = mark.kind === "rewrite" ? colours.rewrite : colours[mark.v];
      ink.fillText(text, from, top + rowAt(view, row) + 4);
      break;
    }
  }
};

const drawCounts = (ink, marks, view, top, colours) => {
  ink.font = view.small;
  ink.textAlign = "left";
  marks.forEach((mark, at) => {
    // How many were stopped; the tip says how many events there are in all.
    if (!isStop(mark) || !(mark.strictest > 1)) return;
    const text = String(mark.strictest);
    const free = marks.find((other, index) => index !== at && isStop(other) && other.x > mark.x && other.x < mark.x + 18);
    if (free) return;
    ink.strokeStyle = colours.bg;
    ink.lineWidth = 4;
    ink.lineJoin = "round";
    ink.strokeText(text, mark.x + 8.5, top + rowAt(view, 2) + 4);
    ink.fillStyle = colours[mark.v];
    ink.fillText(text, mark.x + 8.5, top + rowAt(view, 2) + 4);
  });
};

const drawLane = (ink, lane, view, top, colours) => {
  const seen = [];
  for (const mark of lane.marks) {
    const x = view.x(mark.t);
    const end = mark.to ? view.x(mark.to) : x;
    if (end < view.left - 8 || x > view.width + 8) continue;
    seen.push({ ...mark, x, end });
  }
  seen.sort((a, b) => depth(a) - depth(b));
  for (const mark of seen) {
    const y = top + rowAt(view, mark.row);
    const colour = colourOf(colours, mark);
    ink.fillStyle = ink.strokeStyle = colour;
    if (mark.kind === "tool" && mark.end > mark.x + 2) {
      const from = Math.max(view.left, mark.x);
      ink.globalAlpha = 0.26;
      ink.fillRect(from, y - 5, mark.end - from, 10);
      ink.globalAlpha = 1;
    }
    if (mark.x < view.left - 1) continue;
    // A thin edge in the colour of the ground keeps neighbours apart.
    if (isStop(mark)) {
      ink.save();
      ink.strokeStyle = colours.bg;
      ink.lineWidth = 2;
      shapes[look(mark)](ink, mark.x, y);
      ink.stroke();
      ink.restore();
    }
    shapes[look(mark)]?.(ink, mark.x, y, mark.n);
  }
  drawCounts(ink, seen, view, top, colours);
  drawLabels(ink, seen, view, top, colours);
};

/** Whether the picked event is one of this lane. */
const holds = (lane, picked) => {
  if (picked.session !== lane.session) return false;
  if (lane.owner) return picked.subagent === lane.id;
  return !(lane.subagents ?? []).some(({ id, marks }) => marks && id === picked.subagent) || lane.isFolded;
};

const drawPicked = (ink, picked, view, top, colours) => {
  const x = view.x(picked.t);
  if (x < view.left || x > view.width) return;
  const y = top + rowAt(view, 2);
  ink.strokeStyle = colours.accent;
  ink.lineWidth = 2;
  ink.beginPath();
  ink.arc(x, y, 11, 0, Math.PI * 2);
  ink.stroke();
};

/**
 * @param {{width: number, height: number, left: number, head: number, lane: number, scroll: number, window: {from: number, to: number}}} box
 */
export const viewOf = (box) => {
  const per = (box.width - box.left) / (box.window.to - box.window.from);
  return {
    ...box,
    x: (time) => box.left + (time - box.window.from) * per,
    time: (x) => box.window.from + (x - box.left) / per,
    small: "600 10px system-ui, sans-serif",
    mono: '11px ui-monospace, "SF Mono", Menlo, "DejaVu Sans Mono", monospace',
    text: "11px system-ui, sans-serif",
  };
};

const drawGrid = (ink, view, colours) => {
  ink.textAlign = "left";
  for (const tick of ticks(view.window, view.width - view.left)) {
    const x = Math.round(view.x(tick.time)) + 0.5;
    ink.strokeStyle = colours.line;
    ink.lineWidth = 1;
    ink.beginPath();
    ink.moveTo(x, kAxis - 6);
    ink.lineTo(x, view.height);
    ink.stroke();
    ink.fillStyle = tick.strong ? colours.ink : colours.soft;
    ink.font = tick.strong ? `600 ${view.text}` : view.text;
    if (x + 4 + ink.measureText(tick.text).width < view.width) ink.fillText(tick.text, x + 4, kAxis - 9);
  }
};

/** Draws the lanes that the box shows. */
export const draw = (ink, lanes, view, colours, picked, newest) => {
  ink.clearRect(0, 0, view.width, view.height);
  ink.save();
  ink.beginPath();
  ink.rect(0, kAxis, view.width, view.height - kAxis);
  ink.clip();
  lanes.forEach((lane, at) => {
    const top = kAxis + at * view.lane - view.scroll;
    if (top > view.height || top + view.lane < kAxis) return;
    if (at % 2 === 1) {
      ink.fillStyle = colours.stripe;
      ink.fillRect(0, top, view.width, view.lane);
    }
  });
  ink.restore();
  drawGrid(ink, view, colours);
  ink.save();
  ink.beginPath();
  ink.rect(view.left - 8, kAxis, view.width, view.height - kAxis);
  ink.clip();
  lanes.forEach((lane, at) => {
    const top = kAxis + at * view.lane - view.scroll;
    if (top > view.height || top + view.lane < kAxis) return;
    drawLane(ink, lane, view, top, colours);
    if (picked && holds(lane, picked)) drawPicked(ink, picked, view, top, colours);
  });
  if (newest) {
    const x = view.x(newest);
    ink.strokeStyle = colours.accent;
    ink.globalAlpha = 0.5;
    ink.lineWidth = 1;
    ink.beginPath();
    ink.moveTo(x, kAxis);
    ink.lineTo(x, view.height);
    ink.stroke();
    ink.globalAlpha = 1;
  }
  ink.restore();
};

/** The mark at a point, or null: the nearest within nine pixels; of two, the stricter one. */
export const hit = (lanes, view, x, y) => {
  const at = Math.floor((y - kAxis + view.scroll) / view.lane);
  const lane = lanes[at];
  if (!lane || y < kAxis || x < view.left - 8) return null;
  const inside = y - kAxis + view.scroll - at * view.lane;
  let best = null;
  for (const mark of lane.marks) {
    const far = Math.abs(view.x(mark.t) - x);
    const within = mark.to && x >= view.x(mark.t) && x <= view.x(mark.to);
    if (far > 9 && !within) continue;
    const down = Math.abs(rowAt(view, mark.row) - inside);
    const score = (within && far > 9 ? 9 : far) + down * 0.6 - (mark.kind === "verdict" ? strictness[mark.v] * 2 : 0);
    if (!best || score < best.score) best = { mark, lane, score, x: view.x(mark.t), y: kAxis + at * view.lane - view.scroll + rowAt(view, mark.row) };
  }
  return best;
};
