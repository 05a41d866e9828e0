import { blob, get } from "../api.js";
import { EventPanel } from "../event/event.js";
import { count, kDay, kMinute, millis, moment, clock, day, plural, span, ago } from "../format.js";
import { html, useEffect, useRef, useState } from "../html.js";
import { useKeys } from "../keys.js";
import { Choices, Command, Empty, Loading, Problem, Shape } from "../parts.js";
import { change, go, route } from "../route.js";
import { about, missed, now, onEvents, paused, tell, waiting } from "../state.js";
import { FilterBox } from "./filter.js";
import { surelyShown, withRows } from "./follow.js";
import { Lanes } from "./lanes.js";
import { hasSubagents } from "./rows.js";
import { List } from "./list.js";
import { Overview } from "./overview.js";
import { clamp, pan, ranges, zoom } from "./scale.js";

/** What is shown at least of a journal that has just begun: its first events are not drawn in milliseconds. */
const kShortest = 10_000;

/** The window that the URL means: a fixed one, or one that ends now. */
const windowOf = (params, journal, time) => {
  const from = Number(params.get("from"));
  const to = Number(params.get("to"));
  if (from && to > from) return { from, to, fixed: true, key: `${from} ${to}` };
  const chosen = ranges.find(({ value }) => value === params.get("range"));
  // A window that moves with the clock is asked for again once in a minute, and whenever something happens.
  const moving = { fixed: false, key: `${params.get("range")} ${Math.floor(time / kMinute)}` };
  const last = millis(journal?.last ?? time) || time;
  const first = millis(journal?.first ?? last - kDay);
  if (chosen && chosen.span !== Infinity) return { from: time - chosen.span, to: time, ...moving };
  // By default the last day on which something happened, and no emptiness before the first event.
  // A clock that was set back leaves events in the future.
  const end = time - last > kDay && !chosen ? last + 5 * kMinute : Math.max(time, last);
  const start = Math.min(chosen ? first : Math.max(first, end - kDay), end - kShortest);
  const edge = Math.max(500, (end - start) * 0.01);
  return { from: start - edge, to: end + edge, ...moving };
};

const useRows = (q, shown, wanted) => {
  const [state, set] = useState({ rows: [], next: null, loaded: "" });
  const key = `${q} ${shown.fixed ? shown.key : shown.key.split(" ")[0]}`;
  const load = async () => {
    const reply = await get("/api/events", { q, from: Math.round(shown.from), to: shown.fixed ? Math.round(shown.to) : undefined, limit: 200 });
    const next = { rows: [...reply.events].reverse(), next: reply.next ?? null, loaded: key };
    set(next);
    return next;
  };
  const earlier = async () => {
    const reply = await get("/api/events", { q, from: Math.round(shown.from), before: state.next, limit: 200 });
    const next = { ...state, rows: [...[...reply.events].reverse(), ...state.rows], next: reply.next ?? null };
    set(next);
    return next;
  };
  const add = (rows) =>
    set((old) => {
      const known = new Set(old.rows.map(({ id }) => id));
      return { ...old, rows: [...old.rows, ...rows.filter(({ id }) => !known.has(id))] };
    });
  useEffect(() => {
    if (!wanted) return;
    const soon = setTimeout(() => load().catch((error) => tell(error.message, "error")), 60);
    return () => clearTimeout(soon);
  }, [key, wanted]);
  return { ...state, current: state.loaded === key, load, earlier, add };
};

const Legend = ({ toggle, q }) => html`
  <div class="legend">
    ${["deny", "ask", "allow", "pass"].map((of) => {
      const on = q.includes(`verdict:${of}`);
      return html`<button key=${of} class=${`small ${of}`} type="button" aria-pressed=${on ? "true" : "false"} title=${`only ${of}`} onClick=${() => toggle(`verdict:${of}`)}><${Shape} of=${of} />${of}</button>`;
    })}
    <span class="key rewrite"><${Shape} of="rewrite" />rewrite</span>
    <span class="key failed"><${Shape} of="failed" /><span class="wide">hook </span>failed</span>
  </div>
`;

const LiveButton = ({ moving, resume }) => {
  const word = moving ? "live" : missed.value ? `paused, ${count(missed.value)} new` : "paused";
  return html`<button class=${`live ${moving ? "on" : "off"}`} type="button" title="space" aria-pressed=${moving ? "true" : "false"} onClick=${resume}>
    <span class="dot" aria-hidden="true"></span>${word}
  </button>`;
};

const Waiting = () => {
  const asks = waiting.value.length;
  return asks > 0 && html`<a class="waiting" href="/a"><${Shape} of="ask" />${asks} waiting</a>`;
};

const NoEvents = () => {
  const { agents_installed = [], suggestions = [] } = about.value ?? {};
  return html`<${Empty} title="No events yet">
    ${agents_installed.length
      ? html`<p>Grapnel is installed into ${agents_installed.join(", ")}. The next thing that ${agents_installed.length > 1 ? "they do" : "it does"} appears here, without a reload.</p>
          <p>To see one now, fire one yourself:</p>
          <p><${Command} text=${`echo '{"tool_name": "Bash", "tool_input": {"command": "git push --force"}}' | grapnel fire PreToolUse`} /></p>`
      : html`<p>An agent has to call Grapnel. This puts it into Claude Code; <code>grapnel agents</code> lists the others:</p>
          <p><${Command} text="grapnel install claude" /></p>
          <p>Rules for a start, such as no force push and no secrets in the conversation:</p>
          <p><${Command} text="grapnel init" /></p>`}
    ${suggestions.map((text) => html`<p key=${text}><${Command} text=${text} /></p>`)}
  <//>`;
};

const NothingHere = ({ q, reply, all, clear }) => html`
  <${Empty} title=${q ? "Nothing matches" : "Nothing happened here"}>
    ${q
      ? html`<p>No event in this window matches <code>${q}</code>. Words are parts of the subject; <kbd>?</kbd> lists the keys.</p><p><button type="button" onClick=${clear}>clear the filter</button> <button type="button" onClick=${all}>look everywhere</button></p>`
      : html`<p>The journal has ${plural(reply.total ?? 0, "event")}${reply.last ? html`; the newest is ${ago(reply.last)}` : ""}.</p><p><button type="button" onClick=${all}>show all</button></p>`}
  <//>
`;

/** Both ends, the day once if it is the same. */
const WindowText = ({ shown }) => {
  const same = day(shown.from) === day(shown.to);
  const text = same ? `${day(shown.to)} ${clock(shown.from)} – ${clock(shown.to)}` : `${moment(shown.from, false)} – ${moment(shown.to, false)}`;
  return html`<span class="window" title=${`${moment(shown.from)} – ${moment(shown.to)}`}>${text} <span class="soft">(${span(shown.to - shown.from)})</span></span>`;
};

/** One file that needs no server, to attach to a report. */
const exportWindow = async (q, shown) => {
  try {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await blob("/api/export", { q, from: Math.round(shown.from), to: Math.round(shown.to) }));
    link.download = `grapnel-${day(shown.to)}.html`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  } catch (error) {
    tell(error.message, "error");
  }
};

/** What the overview shows: the whole journal, and a little more, so that its ends are not cut. */
const wholeOf = ({ first, last, from, to, overview }) => {
  const begin = Math.min(millis(first ?? from), overview?.from ?? Infinity);
  const end = Math.max(millis(last ?? to) + 1, (overview?.from ?? 0) + (overview?.step ?? 0) * (overview?.pass?.length ?? 0), begin + kShortest);
  const edge = (end - begin) * 0.01;
  return { from: begin - edge, to: end + edge };
};

const useTimeline = (shown, q, width, ready) => {
  const [state, set] = useState({ reply: null, error: null });
  const [turn, again] = useState(0);
  useEffect(() => {
    if (!ready || !width) return;
    const aborted = new AbortController();
    const soon = setTimeout(
      () => {
        const to = shown.fixed || paused.value ? shown.to : Math.max(shown.to, Date.now());
        get("/api/timeline", { from: Math.round(shown.from), to: Math.round(to), q, width: Math.round(width) }, aborted.signal).then(
          (reply) => set({ reply, error: null }),
          (error) => error.name !== "AbortError" && set((old) => ({ ...old, error })),
        );
      },
      state.reply ? 40 : 0,
    );
    return () => {
      clearTimeout(soon);
      aborted.abort();
    };
  }, [shown.key, q, width, ready, turn]);
  return { ...state, set, again: () => again((number) => number + 1) };
};

/** The window follows the hand at once, and the URL when the hand rests. */
const useWindow = (base) => {
  const [held, hold] = useState(null);
  const timer = useRef(0);
  const move = (next) => {
    const fine = clamp(next);
    hold({ ...fine, fixed: true, key: `${fine.from} ${fine.to}` });
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      change({ from: fine.from, to: fine.to, range: null }, { replace: true });
      hold(null);
    }, 180);
  };
  const settle = () => {
    clearTimeout(timer.current);
    hold(null);
  };
  return { shown: held ?? base, move, settle };
};

export const Timeline = () => {
  const { params } = route.value;
  const q = params.get("q") ?? "";
  const picked = params.get("id");
  const view = params.get("view") ?? "lanes";
  const folded = params.get("subagents") === "folded";
  const fold = () => change({ subagents: folded ? null : "folded" });
  const journal = about.value?.journal;
  // A page that is paused stands still: its window ends where it was paused.
  const stopped = useRef(0);
  stopped.current = paused.value ? stopped.current || Date.now() : 0;
  const base = windowOf(params, journal, params.get("from") ? 0 : stopped.current || now.value);
  const { shown, move, settle } = useWindow(base);
  const [width, setWidth] = useState(0);
  const [event, setEvent] = useState(null);
  const timeline = useTimeline(shown, q, view === "list" ? width || 1000 : width, Boolean(about.value));
  const { reply, error } = timeline;
  const rows = useRows(q, shown, view === "list");
  const moving = !shown.fixed && !paused.value;
  const box = useRef(null);

  const pick = (id) => change({ id }, { replace: Boolean(picked) });
  const close = () => change({ id: null, replay: null });
  const all = () => (settle(), change({ range: "all", from: null, to: null }));
  const resume = () => {
    if (moving) return (paused.value = true);
    paused.value = false;
    missed.value = 0;
    settle();
    if (shown.fixed) change({ from: null, to: null });
    timeline.again();
    if (view === "list") rows.load();
  };
  const toggle = (word) => {
    const words = q.split(/\s+/).filter(Boolean);
    const others = words.filter((other) => !other.startsWith("verdict:") || !word.startsWith("verdict:"));
    change({ q: words.includes(word) ? others.filter((other) => other !== word).join(" ") : [...others, word].join(" ") });
  };

  const state = useRef({});
  state.current = { moving, q, fixed: shown.fixed, view, load: rows.load };
  useEffect(() => {
    let due;
    let wanted = false;
    const stop = onEvents((fresh) => {
      const { moving: on, q: filter, fixed, view: how } = state.current;
      if (!on) {
        if (fixed && !paused.value) missed.value += fresh.length;
        return;
      }
      if (surelyShown(filter)) {
        timeline.set((old) => (old.reply ? { ...old, reply: withRows(old.reply, fresh) } : old));
        if (how === "list") rows.add(fresh);
      }
      // After a pause of the connection there may be events that nobody told of.
      wanted ||= !fresh.length || !surelyShown(filter);
      due ??= setTimeout(() => {
        if (state.current.view === "list" && wanted) state.current.load().catch((error) => tell(error.message, "error"));
        due = undefined;
        wanted = false;
        timeline.again();
      }, 700);
    });
    return () => {
      stop();
      clearTimeout(due);
    };
  }, []);

  /** Goes to the next or the previous event, or only to those that were stopped. */
  const step = async (forward, stops) => {
    try {
      if (!q && picked && event?.id === picked) {
        const id = event[`${forward ? "next" : "previous"}${stops ? "_stop" : ""}`];
        return id ? pick(id) : tell(`no ${forward ? "later" : "earlier"} ${stops ? "deny or ask" : "event"}`);
      }
      let found = rows.current && rows.rows.length ? rows : await rows.load();
      const wanted = (row) => !stops || row.verdict === "deny" || row.verdict === "ask" || row.id === picked;
      let list = found.rows.filter(wanted);
      let at = list.findIndex(({ id }) => id === picked);
      if (at < 0) return list.length ? pick(list.at(-1).id) : tell("no such event here");
      if (at === 0 && !forward && found.next) {
        found = await rows.earlier();
        list = found.rows.filter(wanted);
        at = list.findIndex(({ id }) => id === picked);
      }
      const target = list[at + (forward ? 1 : -1)];
      return target ? pick(target.id) : tell(`no ${forward ? "later" : "earlier"} ${stops ? "deny or ask" : "event"} in this window`);
    } catch (failed) {
      tell(failed.message, "error");
    }
  };

  // An event that is reached by keys or by a link has to be in sight.
  const arrived = (data) => {
    setEvent(data);
    const time = millis(data.why.time);
    if (!shown.fixed && time >= shown.from) return;
    if (time >= shown.from && time <= shown.to) return;
    const half = (shown.to - shown.from) / 2;
    move({ from: time - half, to: time + half });
  };
  const chosen = picked && event?.id === picked ? { id: picked, t: millis(event.why.time), session: event.why.session, subagent: event.why.agent_id } : null;
  const around = chosen && chosen.t > shown.from && chosen.t < shown.to ? chosen.t : undefined;

  useKeys("timeline", {
    j: ["next event", () => step(true, false)],
    k: ["previous event", () => step(false, false)],
    J: ["next deny or ask", () => step(true, true)],
    K: ["previous deny or ask", () => step(false, true)],
    w: ["zoom in", () => move(zoom(shown, 0.6, around))],
    s: ["zoom out", () => move(zoom(shown, 1 / 0.6, around))],
    a: ["earlier", () => move(pan(shown, -0.2))],
    d: ["later", () => move(pan(shown, 0.2))],
    f: ["everything", all],
    o: ["subagents in lanes of their own, or not", fold],
    l: ["lanes or list", () => change({ view: view === "list" ? null : "list" })],
    " ": ["pause, or follow again", resume],
    "/": ["filter", () => document.getElementById("filter")?.focus()],
    Enter: ["the picked event on a page of its own", () => picked && go(`/e/${encodeURIComponent(picked)}`)],
    p: ["what today's hooks would decide about the picked event", () => picked && change({ replay: params.get("replay") ? null : "today" }, { replace: true })],
    Escape: ["close the event", close],
  });

  const whole = reply && wholeOf(reply);
  const none = reply && !reply.total && !journal?.events;
  const empty = reply && !reply.lanes.length;
  return html`
    <div class="bar">
      <${Choices} label="range" of=${ranges} value=${shown.fixed ? "" : params.get("range") ?? ""} pick=${(range) => (settle(), (paused.value = false), change({ range, from: null, to: null }))} />
      <${FilterBox} q=${q} set=${(text) => change({ q: text })} />
      <${LiveButton} moving=${moving} resume=${resume} />
      <${Choices} label="view" of=${[{ value: "lanes", label: "lanes" }, { value: "list", label: "list" }]} value=${view} pick=${(how) => change({ view: how === "lanes" ? null : how })} />
      <${Waiting} />
    </div>
    ${error && html`<${Problem} error=${error} again=${timeline.again} />`}
    ${none && html`<${NoEvents} />`}
    <div class=${`split${picked ? " open" : ""}`} ref=${box} data-events=${reply?.total ?? ""} data-shown=${reply ? reply.lanes.reduce((sum, { events }) => sum + events, 0) : ""} hidden=${none}>
      <div class="left">
        ${!reply && !error && html`<${Loading} />`}
        ${reply &&
        html`<div class="head"><${WindowText} shown=${shown} /><${Legend} q=${q} toggle=${toggle} />
            ${view === "lanes" && hasSubagents(reply.lanes) && html`<button class="small" type="button" aria-pressed=${folded ? "false" : "true"} title="subagents in lanes of their own (o)" onClick=${fold}>subagents</button>`}
            <span class="soft facts">${plural(reply.total ?? 0, "event")}${journal ? html` · lost ${count(journal.lost)} · chain ${journal.chain}` : ""}</span>
            <button class="small export" type="button" title="these events as one HTML file, masked" onClick=${() => exportWindow(q, shown)}>export</button></div>
          <${Overview} overview=${reply.overview} window=${shown} whole=${whole} move=${move} all=${all} />`}
        ${empty && !none && html`<${NothingHere} q=${q} reply=${reply} all=${all} clear=${() => change({ q: null })} />`}
        ${view === "list"
          ? html`<${List} rows=${rows.rows} more=${rows.next} earlier=${rows.earlier} picked=${picked} pick=${pick} tail=${moving} />`
          : html`<${Lanes} lanes=${reply?.lanes ?? []} folded=${folded} window=${shown} picked=${chosen} newest=${moving ? now.value : 0} move=${move} pick=${pick}
              filter=${(session) => toggle(`session:${/\s/.test(session) ? JSON.stringify(session) : session}`)} onWidth=${setWidth} />`}
        ${reply?.quiet_sessions > 0 && html`<button class="quiet small" type="button" onClick=${all}>${plural(reply.quiet_sessions, "session")} without events here ▸</button>`}
        ${reply?.truncated && html`<p class="soft cutoff">Only the newest sessions are drawn; narrow the window or filter to see the others.</p>`}
      </div>
      ${picked && html`<aside aria-label="event"><${EventPanel} id=${picked} onData=${arrived} close=${close} step=${step} /></aside>`}
    </div>
  `;
};
