// What several screens look at, and how it stays true.
import { get, session, stream } from "./api.js";
import { batch, computed, signal } from "./html.js";

/** `/api/about`; null until it came. */
export const about = signal(null);
/** The asks that wait for a person. */
export const waiting = signal([]);
/** "connecting", "live" or "lost". */
export const link = signal("connecting");
/** Whether new events move the timeline. */
export const paused = signal(false);
/** How many came while it was paused. */
export const missed = signal(0);
/** The second that clocks on the page show. */
export const now = signal(Date.now());
/** Short news at the bottom: {text, kind}. */
export const toast = signal(null);
/** "", "help", "unlock". */
export const dialog = signal("");

export const mayWrite = computed(() => Boolean(session.value?.unlocked) && !session.value?.read_only);

const kTheme = "grapnel-theme";
export const theme = signal(localStorage.getItem(kTheme) ?? "");
const system = matchMedia("(prefers-color-scheme: dark)");
const systemTheme = signal(system.matches ? "dark" : "light");
system.addEventListener("change", () => (systemTheme.value = system.matches ? "dark" : "light"));
export const shownTheme = () => theme.value || systemTheme.value;
export const flipTheme = () => {
  theme.value = shownTheme() === "dark" ? "light" : "dark";
  localStorage.setItem(kTheme, theme.value);
};

let fading;
export const tell = (text, kind = "done") => {
  toast.value = { text, kind };
  clearTimeout(fading);
  fading = setTimeout(() => (toast.value = null), kind === "error" ? 8000 : 3000);
};

/** What has to happen first, if something is to be written: unlock, which then does it. */
let wanted;
export const whenUnlocked = (action) => {
  if (mayWrite.value) return action();
  wanted = action;
  dialog.value = "unlock";
};
export const unlocked = () => {
  session.value = { ...session.value, unlocked: true };
  dialog.value = "";
  const action = wanted;
  wanted = undefined;
  action?.();
};

export const refreshAbout = async () => {
  about.value = await get("/api/about");
};

const listeners = new Set();
/** Calls `listener` with the rows of each batch of new events, the oldest first, and with none after a pause of the
 * connection; the answer ends that. */
export const onEvents = (listener) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

let after;
const hear = (message) =>
  batch(() => {
    if (message.about) {
      about.value = { ...about.value, ...message.about };
      if ("unlocked" in message.about) session.value = { ...session.value, ...message.about };
    }
    if (message.waiting) waiting.value = message.waiting;
    if (message.after !== undefined) after = message.after;
    if (message.events?.length) {
      if (paused.value) missed.value += message.events.length;
      const rows = [...message.events].sort((a, b) => (a.time < b.time ? -1 : 1));
      listeners.forEach((listener) => listener(rows));
    }
  });

const read = async (body) => {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) if (line) hear(JSON.parse(line));
  }
};

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** Follows the journal for ever; waits longer after each failure, up to ten seconds. */
export const follow = async () => {
  for (let wait = 250; ; wait = Math.min(wait * 2, 10_000)) {
    try {
      link.value = link.value === "lost" ? "lost" : "connecting";
      const body = await stream("/api/live", { after });
      link.value = "live";
      wait = 250;
      // What happened in between is not sent again: whoever listens looks once more.
      if (about.value) listeners.forEach((listener) => listener([]));
      await read(body);
    } catch (error) {
      if (error.status === 401) return;
    }
    link.value = "lost";
    await pause(wait * (0.75 + Math.random() / 2));
  }
};

setInterval(() => (now.value = Date.now()), 1000);
