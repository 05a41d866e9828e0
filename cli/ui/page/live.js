// News of the server, through one stream for all tabs of this browser: browsers keep only six connections to a server, so
// tabs with a stream each would starve each other. One tab leads: it has the stream, and passes on what it hears. When it is
// closed, the next one leads. Hooks wait for a person only while an unlocked page listens, so an unlocked tab takes the lead
// from one that is not.
import { session, stream } from "./api.js";
import { effect } from "./html.js";

const kName = "grapnel-live";
/** The server says something every 15 seconds. A leader that is silent for longer has been put to sleep by the browser. */
const kSilence = 45_000;

const pause = (ms) => new Promise((done) => setTimeout(done, ms));
/** Without what is about one tab alone. */
const forAll = ({ about, ...message }) => (about ? { ...message, about: { ...about, unlocked: undefined } } : message);
const isUnlocked = () => Boolean(session.peek()?.unlocked);

const readLines = async (body, take) => {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) if (line) take(JSON.parse(line));
  }
};

/** Follows the stream until the signal says to end, or this tab's key is refused; waits longer after each failure, up to ten
 * seconds. */
const readStream = async (take, ended) => {
  for (let wait = 250; !ended.aborted; wait = Math.min(wait * 2, 10_000)) {
    try {
      const body = await stream("/api/live", {}, ended);
      wait = 250;
      // What happened in between is not sent again: whoever listens looks once more.
      take({ link: "live", again: true });
      await readLines(body, take);
    } catch (error) {
      if (error.status === 401 || ended.aborted) return;
    }
    take({ link: "lost" });
    await pause(wait * (0.75 + Math.random() / 2));
  }
};

/**
 * Calls `hear` for ever with messages: `{events}`, `{about}`, `{waiting}`, `{link}` ("live" or "lost"), and `{again}` if
 * something may have been missed.
 */
export const follow = (hear) => {
  if (!navigator.locks || !globalThis.BroadcastChannel) return readStream(hear, new AbortController().signal);
  const channel = new BroadcastChannel(kName);
  /** What a tab that comes later has to know. */
  const latest = {};
  let leads = false;
  let isLeaderUnlocked = true;
  let heardAt = Date.now();
  let turn;

  // What the leader hears is for all, but whether it may write is about itself.
  const passOn = (message) => {
    for (const key of ["about", "waiting", "link"]) if (message[key] !== undefined) latest[key] = message[key];
    hear(message);
    channel.postMessage({ ...forAll(message), unlocked: isUnlocked() });
  };
  const lead = async (options) => {
    const ended = new AbortController();
    let hasLed = false;
    try {
      await navigator.locks.request(kName, options, () => {
        hasLed = leads = true;
        return readStream(passOn, ended.signal);
      });
      leads = false;
    } catch {
      // Another tab took the lead; or this one did, instead of waiting for its turn.
      ended.abort();
      if (!hasLed) return;
      leads = false;
      waitForTurn();
    }
  };
  const waitForTurn = () => {
    turn = new AbortController();
    heardAt = Date.now();
    lead({ signal: turn.signal });
  };
  const takeOver = () => {
    turn.abort();
    lead({ steal: true });
  };
  const check = () => {
    const isAsleep = Date.now() - heardAt > kSilence;
    if (!leads && (isAsleep || (isUnlocked() && !isLeaderUnlocked))) takeOver();
  };

  channel.onmessage = ({ data: { isNew, unlocked, ...message } }) => {
    if (isNew) return leads && channel.postMessage({ ...forAll(latest), unlocked: isUnlocked() });
    if (leads) return;
    heardAt = Date.now();
    isLeaderUnlocked = unlocked;
    hear(message);
    check();
  };
  setInterval(check, 5000);
  waitForTurn();
  effect(() => session.value?.unlocked && check());
  channel.postMessage({ isNew: true });
};
