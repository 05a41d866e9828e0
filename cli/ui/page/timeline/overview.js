// Everything, small: columns of verdicts, and a brush that is the window.
import { html, useEffect, useLayoutEffect, useRef } from "../html.js";
import { palette } from "./draw.js";
import { shownTheme, theme } from "../state.js";
import { count, moment } from "../format.js";

const kEdge = 7;
const order = ["pass", "allow", "ask", "deny"];

const sums = (overview) => {
  const length = Math.max(0, ...order.map((name) => overview[name]?.length ?? 0));
  return Array.from({ length }, (_, at) => order.reduce((sum, name) => sum + (overview[name]?.[at] ?? 0), 0));
};

/** Shapes above the columns, where colours alone would tell a deny from an allow. The stricter one is drawn where both would be. */
const drawShapes = (ink, stops, colours) => {
  const strictest = [...stops].sort((a, b) => order.indexOf(b.of) - order.indexOf(a.of));
  const taken = [];
  for (const { x, of } of strictest) {
    if (taken.some((other) => Math.abs(other - x) < 7)) continue;
    taken.push(x);
    ink.fillStyle = colours[of];
    ink.beginPath();
    if (of === "deny") [[x, 0], [x + 3.5, 5.5], [x - 3.5, 5.5]].forEach((point) => ink.lineTo(...point));
    else [[x, 0], [x + 3, 3], [x, 6], [x - 3, 3]].forEach((point) => ink.lineTo(...point));
    ink.fill();
  }
};

const drawAll = (canvas, overview, window, whole) => {
  const { clientWidth: width, clientHeight: height } = canvas;
  const scale = devicePixelRatio;
  canvas.width = width * scale;
  canvas.height = height * scale;
  const ink = canvas.getContext("2d");
  ink.scale(scale, scale);
  const colours = palette(canvas.parentElement);
  const x = (time) => ((time - whole.from) / (whole.to - whole.from)) * width;
  const left = Math.max(0, x(window.from));
  const right = Math.min(width, x(window.to));
  ink.fillStyle = colours.accent;
  ink.globalAlpha = 0.12;
  ink.fillRect(left, 0, Math.max(2, right - left), height);
  ink.globalAlpha = 1;
  const totals = sums(overview);
  const most = Math.max(1, ...totals);
  const column = Math.max(1, (overview.step / (whole.to - whole.from)) * width - 0.6);
  // Square roots: a few denies stay visible beside a busy hour.
  const tall = (value) => Math.sqrt(value / most) * (height - 8);
  const stops = [];
  totals.forEach((total, at) => {
    if (!total) return;
    let done = 0;
    const at_x = x(overview.from + at * overview.step);
    const of = ["deny", "ask"].find((name) => overview[name]?.[at]);
    if (of) stops.push({ x: at_x + column / 2, of });
    for (const name of order) {
      const value = overview[name]?.[at] ?? 0;
      if (!value) continue;
      const bottom = height - tall(done);
      done += value;
      const top = Math.min(height - tall(done), bottom - 2);
      ink.fillStyle = colours[name];
      ink.fillRect(at_x, top, column, bottom - top);
    }
  });
  drawShapes(ink, stops, colours);
  ink.fillStyle = colours.accent;
  ink.fillRect(left, 0, 1.5, height);
  ink.fillRect(Math.max(left + 2, right - 1.5), 0, 1.5, height);
};

/** @param {{overview: object, window: {from: number, to: number}, whole: {from: number, to: number}, move: Function}} props */
export const Overview = ({ overview, window, whole, move, all }) => {
  const canvas = useRef(null);
  const drag = useRef(null);
  useLayoutEffect(() => {
    drawAll(canvas.current, overview, window, whole);
  }, [overview, window.from, window.to, whole.from, whole.to, theme.value, shownTheme()]);
  useEffect(() => {
    const seen = new ResizeObserver(() => drawAll(canvas.current, overview, window, whole));
    seen.observe(canvas.current);
    return () => seen.disconnect();
  }, [overview, window.from, window.to]);

  const timeAt = (event) => {
    const box = canvas.current.getBoundingClientRect();
    return whole.from + ((event.clientX - box.left) / box.width) * (whole.to - whole.from);
  };
  const down = (event) => {
    if (event.button !== 0) return;
    canvas.current.setPointerCapture(event.pointerId);
    const time = timeAt(event);
    const near = ((whole.to - whole.from) / canvas.current.clientWidth) * kEdge;
    const kind =
      Math.abs(time - window.from) < near ? "from"
      : Math.abs(time - window.to) < near ? "to"
      : time > window.from && time < window.to && window.to - window.from < (whole.to - whole.from) * 0.95 ? "both"
      : "new";
    drag.current = { kind, start: time, window, moved: false };
  };
  const moved = (event) => {
    const held = drag.current;
    if (!held) return;
    const time = timeAt(event);
    held.moved = true;
    if (held.kind === "new") move({ from: Math.min(held.start, time), to: Math.max(held.start, time) });
    if (held.kind === "both") move({ from: held.window.from + time - held.start, to: held.window.to + time - held.start });
    if (held.kind === "from") move({ from: Math.min(time, held.window.to - 1000), to: held.window.to });
    if (held.kind === "to") move({ from: held.window.from, to: Math.max(time, held.window.from + 1000) });
  };
  const up = (event) => {
    const held = drag.current;
    drag.current = null;
    if (!held || held.moved || held.kind !== "new") return;
    // A click brings the window there.
    const half = (window.to - window.from) / 2;
    const time = timeAt(event);
    move({ from: time - half, to: time + half });
  };
  const total = sums(overview).reduce((sum, value) => sum + value, 0);
  return html`<div class="overview">
    <canvas ref=${canvas} role="img" onPointerDown=${down} onPointerMove=${moved} onPointerUp=${up} onDblClick=${all}
      aria-label=${`${count(total)} events from ${moment(whole.from, false)} to ${moment(whole.to, false)}; the keys w s a d change the window`}></canvas>
  </div>`;
};
