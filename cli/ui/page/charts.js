// The charts of the statistics, drawn by uPlot. Loaded only by the screen that needs it.
import uPlot from "uplot";
import { clock, moment, took } from "./format.js";
import { plain } from "./text.js";

const colour = (host, name) => {
  const probe = document.createElement("span");
  host.append(probe);
  probe.style.color = `var(--${name})`;
  const value = getComputedStyle(probe).color;
  probe.remove();
  return value;
};

const kHeight = 180;
/** Told apart by dashes as well as by colour. */
const strokes = [["deny", []], ["rewrite", [6, 3]], ["failed", [2, 3]], ["ask", [10, 4]], ["allow", [4, 2, 1, 2]], ["soft", [1, 2]]];

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const timeLabel = (seconds, step) => {
  const at = new Date(seconds * 1000);
  const isDay = at.getHours() + at.getMinutes() === 0;
  return isDay || step >= 86400 ? `${at.getDate()} ${months[at.getMonth()]}` : clock(at.getTime()).slice(0, step < 60 ? 8 : 5);
};

const draw = (host, series, data, values) => {
  const line = colour(host, "line");
  const ink = colour(host, "soft");
  const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 }, font: "11px system-ui" };
  const chart = new uPlot(
    {
      width: host.clientWidth || 400,
      height: kHeight,
      series: [{ label: "at", value: (_, seconds) => (seconds == null ? "–" : moment(seconds * 1000, false)) }, ...series],
      axes: [{ ...axis, space: 70, values: (_, splits, __, ___, step) => splits.map((seconds) => timeLabel(seconds, step)) }, { ...axis, size: 56, values: values && ((_, ticks) => ticks.map(values)) }],
      scales: { y: { range: (_, least, most) => [0, Math.max(1, most * 1.1)] } },
      cursor: { y: false, points: { size: 5 } },
      legend: { live: true },
    },
    data,
    host,
  );
  const seen = new ResizeObserver(() => chart.setSize({ width: host.clientWidth, height: kHeight }));
  seen.observe(host);
  return () => {
    seen.disconnect();
    chart.destroy();
  };
};

const styled = (host, at) => {
  const [name, dash] = strokes[at % strokes.length];
  return { stroke: colour(host, name), dash, width: 1.75, points: { show: true, size: 4 } };
};

export const denies = (host, { from, step, hooks }) => {
  const shown = hooks.filter(({ deny }) => sum(deny) > 0).sort((a, b) => sum(b.deny) - sum(a.deny)).slice(0, strokes.length);
  const length = Math.max(...shown.map(({ deny }) => deny.length));
  // Nothing happened before the first step and after the last one; with a single step there would be no axis.
  const times = Array.from({ length: length + 2 }, (_, at) => (from + (at - 1) * step) / 1000);
  return draw(host, shown.map(({ name }, at) => ({ label: plain(name).slice(0, 60), ...styled(host, at) })), [times, ...shown.map(({ deny }) => [0, ...deny, 0])]);
};

const sum = (numbers) => numbers.reduce((all, number) => all + number, 0);

export const latency = (host, rows) => {
  const keys = ["p50", "p95", "p99"];
  const value = (_, us) => (us == null ? "–" : took(Math.round(us)));
  const series = keys.map((label, at) => ({ label, ...styled(host, [1, 3, 0][at]), value }));
  const times = rows.map(({ t }) => t / 1000);
  return draw(host, series, [times, ...keys.map((key) => rows.map((row) => row[key] ?? null))], (us) => (us ? took(Math.round(us)) : "0"));
};
