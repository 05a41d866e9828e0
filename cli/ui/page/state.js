// What several screens look at, and how it stays true.
import { get, session } from "./api.js";
import { batch, computed, signal } from "./html.js";
import { follow } from "./live.js";

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

const told = (message) =>
  batch(() => {
    if (message.about) {
      about.value = { ...about.value, ...message.about };
      if (message.about.unlocked !== undefined) session.value = { ...session.value, ...message.about };
    }
    if (message.waiting) waiting.value = message.waiting;
    if (message.link) link.value = message.link;
    if (message.again && about.value) listeners.forEach((listener) => listener([]));
    if (message.events?.length) {
      if (paused.value) missed.value += message.events.length;
      const rows = [...message.events].sort((a, b) => (a.time < b.time ? -1 : 1));
      listeners.forEach((listener) => listener(rows));
    }
  });

/** Follows the journal for ever. */
export const followJournal = () =>
  follow((message) => {
    const isNews = message.link && message.link !== link.value;
    told(message);
    // Whether the server answers this tab, too.
    if (isNews) refreshAbout().catch(() => {});
  });

setInterval(() => (now.value = Date.now()), 1000);
