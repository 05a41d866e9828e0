// Where a moment is, and which moments get a line and a label.
import { clock, kDay, kHour, kMinute, kSecond } from "../format.js";

export const ranges = [
  { value: "1h", label: "1h", span: kHour },
  { value: "8h", label: "8h", span: 8 * kHour },
  { value: "24h", label: "24h", span: kDay },
  { value: "7d", label: "7d", span: 7 * kDay },
  { value: "all", label: "all", span: Infinity },
];

const kLeast = 20; // milliseconds: there is nothing to see in less
const kMost = 400 * kDay;

/** Keeps a window within what can be shown. */
export const clamp = ({ from, to }) => {
  const span = Math.min(kMost, Math.max(kLeast, to - from));
  const middle = (from + to) / 2;
  return { from: Math.round(middle - span / 2), to: Math.round(middle + span / 2) };
};

export const zoom = ({ from, to }, factor, around = (from + to) / 2) =>
  clamp({ from: around - (around - from) * factor, to: around + (to - around) * factor });

export const pan = ({ from, to }, share) => {
  const by = Math.round((to - from) * share);
  return { from: from + by, to: to + by };
};

const steps = [
  1, 2, 5, 10, 20, 50, 100, 200, 500,
  ...[1, 2, 5, 10, 15, 30].map((n) => n * kSecond),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * kMinute),
  ...[1, 2, 3, 6, 12].map((n) => n * kHour),
  ...[1, 2, 7, 14, 28, 91].map((n) => n * kDay),
];

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const label = (time, step) => {
  const at = new Date(time);
  if (at.getHours() + at.getMinutes() + at.getSeconds() + at.getMilliseconds() === 0 && step >= kMinute) {
    return { text: `${at.getDate()} ${months[at.getMonth()]}`, strong: true };
  }
  if (step < kSecond) return { text: clock(time, true).slice(3), strong: false };
  return { text: step < kMinute ? clock(time) : clock(time).slice(0, 5), strong: false };
};

/** @returns {{time: number, text: string, strong: boolean}[]} at least `gap` pixels apart. */
export const ticks = ({ from, to }, width, gap = 84) => {
  const least = ((to - from) / Math.max(1, width)) * gap;
  const step = steps.find((size) => size >= least) ?? steps.at(-1);
  // Whole hours and days are those of the clock on the wall.
  const shift = step >= kHour ? new Date(from).getTimezoneOffset() * kMinute : 0;
  const found = [];
  for (let time = Math.ceil((from - shift) / step) * step + shift; time <= to; time += step) {
    found.push({ time, ...label(time, step) });
  }
  return found;
};
