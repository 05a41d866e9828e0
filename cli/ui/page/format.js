// Numbers and times as people read them. Times are local; the tooltip has the exact one.
const two = (number) => String(number).padStart(2, "0");
const three = (number) => String(number).padStart(3, "0");

export const kSecond = 1000;
export const kMinute = 60 * kSecond;
export const kHour = 60 * kMinute;
export const kDay = 24 * kHour;

/** @returns {number} milliseconds since the epoch, of such a number or of an ISO time. */
export const millis = (time) => (typeof time === "number" ? time : Date.parse(time));

export const count = (number) => Number(number ?? 0).toLocaleString("en").replaceAll(",", "\u202f");

export const day = (time) => {
  const at = new Date(millis(time));
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
};

export const clock = (time, fine = false) => {
  const at = new Date(millis(time));
  const text = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
  return fine ? `${text}.${three(at.getMilliseconds())}` : text;
};

export const moment = (time, fine = true) => `${day(time)} ${clock(time, fine)}`;

/** The day only where it is not today. */
export const brief = (time) => (day(time) === day(Date.now()) ? clock(time) : moment(time, false));

/** `3.4 ms`, `1.9 s`, of microseconds. A rule often answers within the first one. */
export const took = (us) => {
  if (us === undefined || us === null) return "";
  if (us < 1) return "< 1 µs";
  if (us < 1000) return `${us} µs`;
  if (us < 1e6) return `${(us / 1000).toFixed(us < 1e4 ? 1 : 0)} ms`;
  if (us < 6e7) return `${(us / 1e6).toFixed(us < 1e7 ? 1 : 0)} s`;
  return span(us / 1000);
};

/** `2 h 10 min`, of milliseconds. */
export const span = (ms) => {
  if (ms < kSecond) return `${Math.round(ms)} ms`;
  if (ms < kMinute) return `${(ms / kSecond).toFixed(ms < 10 * kSecond ? 1 : 0)} s`;
  const pair = (big, small, one, other) => {
    const rest = Math.floor((ms % big) / small);
    return `${Math.floor(ms / big)} ${one}${rest ? ` ${rest} ${other}` : ""}`;
  };
  if (ms < kHour) return pair(kMinute, kSecond, "min", "s");
  if (ms < kDay) return pair(kHour, kMinute, "h", "min");
  return pair(kDay, kHour, "d", "h");
};

export const ago = (time, now = Date.now()) => {
  const past = now - millis(time);
  if (!Number.isFinite(past)) return "never";
  if (past < 5 * kSecond) return "just now";
  const units = [[kDay, "d"], [kHour, "h"], [kMinute, "min"], [kSecond, "s"]];
  const [size, unit] = units.find(([least]) => past >= least);
  return `${Math.floor(past / size)} ${unit} ago`;
};

export const bytes = (number) => {
  if (number < 1024) return `${number} B`;
  if (number < 1024 * 1024) return `${(number / 1024).toFixed(1)} KiB`;
  return `${(number / 1024 / 1024).toFixed(1)} MiB`;
};

/** The part of an id or a session that people say. */
export const short = (id) => {
  const text = String(id ?? "");
  const last = text.split(/[-_/]/).filter(Boolean).pop() ?? text;
  return text.length <= 10 ? text : last.length >= 4 && last.length <= 12 ? last.slice(0, 8) : text.slice(0, 8);
};

/** The last part of a path. */
export const leaf = (path) => String(path ?? "").split("/").filter(Boolean).pop() ?? "";

const answers = {
  deny: "denied",
  once: "allowed once",
  session: "allowed for the session",
  rule: "answered with a rule",
  "no-listener": "nobody was there to answer",
  expired: "no answer in time",
  left: "the page or the terminal was closed before an answer",
  approved: "approved",
  "not-run": "did not run",
};
/** What became of an ask, in words. */
export const answered = (answer) => answers[answer] ?? answer ?? "no answer on record";

export const plural = (number, one, many = `${one}s`) => `${count(number)} ${number === 1 ? one : many}`;
