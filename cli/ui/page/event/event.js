// One event, as `grapnel why` tells it: beside the timeline, or on a page of its own.
import { get } from "../api.js";
import { answered, millis, span } from "../format.js";
import { html, useEffect, useRef } from "../html.js";
import { useKeys } from "../keys.js";
import { Empty, Problem, Loading, Verdict, copy, useData } from "../parts.js";
import { change, go, route } from "../route.js";
import { tell } from "../state.js";
import { Path, Said } from "../text.js";
import { Hooks } from "./hooks.js";
import { Ended, Facts, Payload, Record, subjectOf } from "./record.js";

const useEvent = (id, onData) => {
  const shown = useData(async (signal) => {
    const data = await get(`/api/event/${encodeURIComponent(id)}`, {}, signal);
    return { ...data, id: data.why.id ?? id };
  }, [id]);
  const current = shown.data && (shown.data.id === id || shown.data.id.startsWith(id)) ? shown.data : null;
  useEffect(() => {
    if (current) onData?.(current);
  }, [current]);
  return { ...shown, data: current };
};

const Head = ({ data, step, close, today }) => {
  const { why } = data;
  const link = new URL(`/e/${encodeURIComponent(data.id)}`, location.href).href;
  return html`<header class=${`event-head ${why.verdict}`}>
    <div class="title">
      <h1><${Verdict} of=${why.verdict ?? "pass"} /> <span><${Said} text=${why.event ?? "not understood"} limit=${80} /></span> ${why.tool && html`<span class="tool"><${Said} text=${why.tool} limit=${80} /></span>`}</h1>
      <div class="steps">
        <button class="small" type="button" title="previous deny or ask (K)" aria-label="previous deny or ask" disabled=${!data.previous_stop} onClick=${() => step(false, true)}>«</button>
        <button class="small" type="button" title="previous event (k)" aria-label="previous event" onClick=${() => step(false, false)}>◀</button>
        <button class="small" type="button" title="next event (j)" aria-label="next event" onClick=${() => step(true, false)}>▶</button>
        <button class="small" type="button" title="next deny or ask (J)" aria-label="next deny or ask" disabled=${!data.next_stop} onClick=${() => step(true, true)}>»</button>
        ${close && html`<a class="button small" href=${`/e/${encodeURIComponent(data.id)}`} title="a page of its own (Enter)" aria-label="a page of its own">⤢</a>
          <button class="small" type="button" title="Escape" aria-label="close" onClick=${close}>✕</button>`}
      </div>
    </div>
    <div class="tools">
      <span class="soft">copy as</span>
      <button class="small" type="button" disabled=${!data.fire} title=${data.fire ? "a command that fires it again" : "its payload is not on record; GRAPNEL_PAYLOADS=full keeps it"} onClick=${() => copy(data.fire, "the command")}>fire</button>
      <button class="small" type="button" disabled=${!data.test} title=${data.test ? "a case for grapnel test" : "its payload is not on record; GRAPNEL_PAYLOADS=full keeps it"} onClick=${() => copy(data.test, "the test")}>test</button>
      <button class="small" type="button" onClick=${() => copy(link, "the link")}>link</button>
      <button class="small" type="button" title="what grapnel why prints" onClick=${() => copy(data.text ?? "", "the text")}>text</button>
      <span class="gap"></span>
      <button class="small" type="button" onClick=${() => go(`/r?event=${encodeURIComponent(data.id)}`)}>make a rule</button>
      <button class="small" type="button" title="what today's hooks would decide (p)" aria-expanded=${today.open ? "true" : "false"} onClick=${today.flip}>replay</button>
    </div>
  </header>`;
};

const Person = ({ person }) => html`<b>${answered(person.answer)}</b>${person.ms !== undefined && html`, ${span(person.ms)} later`}${person.by && html` in the ${person.by}`}
  ${person.pattern && html` <code><${Said} text=${person.pattern} /></code>`} ${person.reason && html`<span class="soft"><${Said} text=${person.reason} /></span>`} ${person.remembered && html`<span class="soft">(answered earlier in the session)</span>`}`;

const names = (hooks) => hooks.map(({ name }, at) => html`${at > 0 && ", "}<${Said} text=${name} limit=${80} />`);

const Because = ({ why }) => {
  const decided = (why.hooks ?? []).find(({ name }) => name === why.decided_by);
  const rewriting = (why.hooks ?? []).filter(({ answer }) => answer?.rewrite);
  const kinds = {
    "no-hook": "no hook had anything to say",
    "fail-open": "a hook failed, and the call went on",
    "fail-ask": "a hook failed, and a person is asked",
    "fail-closed": "a hook failed, and the call was stopped",
    "loop-cap": "it was asked too often",
    remembered: "the same call was decided before",
    person: "a person answered",
    engine: "Grapnel itself",
  };
  return html`<dl class="because">
    <dt>because</dt>
    <dd>
      ${why.reason && html`<strong><${Said} text=${why.reason} /></strong> `}
      ${why.decided_by ? html`<span class="by">— <${Said} text=${why.decided_by} />${decided?.source && html` <span class="soft"><${Path} text=${decided.source} /></span>`}</span>` : html`<span class="soft">${kinds[why.origin] ?? "no hook decided"}</span>`}
      ${why.decided_by && kinds[why.origin] && html` <span class="soft">(${kinds[why.origin]})</span>`}
    </dd>
    ${rewriting.length > 0 && html`<dt>rewritten</dt><dd>by ${names(rewriting)}</dd>`}
    ${why.would && html`<dt>would</dt><dd><${Verdict} of=${why.would.verdict ?? "pass"} /> ${why.would.decided_by && html`<${Said} text=${why.would.decided_by} />`} ${why.would.reason && html`<span class="soft"><${Said} text=${why.would.reason} /></span>`} <span class="soft">(only observed)</span></dd>`}
    ${(why.degraded ?? []).map((item, at) => html`<dt key=${`k${at}`}>told</dt><dd key=${`v${at}`}><${Said} text=${why.dialect} limit=${40} />: <${Said} text=${item.effect} /> → <b><${Said} text=${item.to || "nothing"} /></b> <span class="soft">degraded: <${Said} text=${item.why} /></span></dd>`)}
    ${why.person && html`<dt>person</dt><dd><${Person} person=${why.person} /></dd>`}
    ${why.answer && html`<dt>${why.person ? "later" : "person"}</dt><dd><${Said} text=${typeof why.answer === "string" ? answered(why.answer) : JSON.stringify(why.answer)} /></dd>`}
    ${why.stop && html`<dt>stop</dt><dd>the agent was told to stop</dd>`}
  </dl>`;
};

const Outcome = ({ outcome }) => {
  if (!outcome) return null;
  return html`<dl class="because"><dt>tool</dt><dd><${Ended} outcome=${outcome} />
    ${outcome.ms !== undefined && html` <span class="soft">after ${span(outcome.ms)}</span>`} ${outcome.error && html`<${Said} text=${outcome.error} />`}</dd></dl>`;
};

/** Asks the server, when somebody wants to know, what today's hooks would decide about the event. */
const useToday = (id) => {
  const open = Boolean(id) && route.value.params.has("replay");
  const shown = useData(async (signal) => (open ? { id, ...(await get(`/api/today/${encodeURIComponent(id)}`, {}, signal)) } : null), [open, id]);
  // What was said about the event before must not stand beside this one.
  const data = shown.data?.id === id ? shown.data : null;
  return { ...shown, data, open, flip: () => change({ replay: open ? null : "today" }, { replace: true }) };
};

const Today = ({ today, data }) => {
  if (!today.open) return null;
  const { data: reply, error } = today;
  const was = data.why.verdict ?? "pass";
  const body = () => {
    if (reply.cannot) return html`<p>It cannot be replayed: ${reply.cannot}.</p>`;
    const source = reply.hooks.find(({ name }) => name === reply.decided_by)?.source;
    const open = reply.not_run.length > 0 && reply.verdict !== "deny";
    return html`
      <p class="big">${open && "at least "}<${Verdict} of=${reply.verdict} /> <span class="soft">${reply.verdict === was ? "as it was" : html`it was <${Verdict} of=${was} />`}</span></p>
      ${(reply.reason || reply.decided_by) && html`<p>${reply.reason && html`<strong><${Said} text=${reply.reason} /></strong>`} ${reply.decided_by && html`<span class="by">— <${Said} text=${reply.decided_by} />${source && html` <span class="soft"><${Path} text=${source} /></span>`}</span>`}</p>`}
      ${reply.would && html`<p class="soft">Hooks that only observe would <${Verdict} of=${reply.would} /></p>`}
      ${(reply.changes || reply.tells_model) && html`<p>${[reply.changes && "A rule would rewrite it", reply.tells_model && "rules would tell the model something"].filter(Boolean).join(", and ")}.</p>`}
      ${reply.not_run.length > 0 && html`<p class="soft">Not replayed, because they start a program or ask somebody: ${names(reply.not_run)}${open ? ". They may object, too." : "."}</p>`}
      ${!reply.hooks.length && !reply.not_run.length && reply.verdict === "pass" && html`<p class="soft">No hook of today has anything to say about it.</p>`}`;
  };
  return html`<section class="today" role="status" aria-label="what today's hooks would decide">
    <h2>today's hooks would say</h2>
    ${error ? html`<${Problem} error=${error} again=${today.again} />` : reply ? body() : html`<p class="soft">asking them…</p>`}
    <p class="soft"><a href=${`/r?q=id:${encodeURIComponent(data.id)}`}>try the rule of the playground on it</a></p>
  </section>`;
};

/** The parts that panel and page share. */
const Body = ({ data, today }) => {
  const { why } = data;
  const { before, after } = subjectOf(why);
  return html`
    ${after !== undefined
      ? html`<div class=${`subject-box rewrite`}><div class="minus"><span class="sign">−</span><${Said} text=${before} lines /></div><div class="plus"><span class="sign">+</span><${Said} text=${after} lines /></div></div>`
      : before !== undefined
        ? html`<div class=${`subject-box ${why.verdict}`}><${Said} text=${before} lines /></div>`
        : html`<div class="subject-box none soft">what it was about is not on record</div>`}
    <${Because} why=${why} />
    <${Today} today=${today} data=${data} />
    <${Outcome} outcome=${why.outcome} />
    <${Facts} data=${data} />
    <${Hooks} why=${why} lines=${data.lines} />
    <${Payload} why=${why} />
    <${Record} data=${data} />
  `;
};

const Missing = ({ error, id, again }) =>
  error.status === 404
    ? html`<${Empty} title="No such event"><p>No record has the id <code><${Said} text=${id} limit=${80} /></code>. Old records are removed after 90 days, or as <code>GRAPNEL_KEEP</code> says.</p><p><a href="/t">To the timeline</a></p><//>`
    : html`<${Problem} error=${error} again=${again} />`;

export const EventPanel = ({ id, onData, close, step }) => {
  const { data, error, again } = useEvent(id, onData);
  const today = useToday(data?.id);
  const box = useRef(null);
  useEffect(() => {
    if (box.current) box.current.scrollTop = 0;
  }, [data?.id]);
  if (error && !data) return html`<div class="panel"><button class="small" type="button" onClick=${close}>✕ close</button><${Missing} error=${error} id=${id} again=${again} /></div>`;
  if (!data) return html`<div class="panel"><${Loading} /></div>`;
  return html`<article class="panel event" ref=${box} tabindex="0" data-id=${data.id}><${Head} data=${data} step=${step} close=${close} today=${today} /><${Body} data=${data} today=${today} /></article>`;
};

export const EventPage = () => {
  const { id } = route.value;
  const { data, error, again } = useEvent(id);
  const today = useToday(data?.id);
  const step = (forward, stops) => {
    const next = data?.[`${forward ? "next" : "previous"}${stops ? "_stop" : ""}`];
    if (next) go(`/e/${encodeURIComponent(next)}${location.search}`, { replace: true });
    else tell(`no ${forward ? "later" : "earlier"} ${stops ? "deny or ask" : "event"}`);
  };
  const time = data && millis(data.why.time);
  const around = data && `/t?from=${time - 300000}&to=${time + 300000}&id=${encodeURIComponent(data.id)}`;
  useKeys("event", {
    j: ["next event", () => step(true, false)],
    k: ["previous event", () => step(false, false)],
    J: ["next deny or ask", () => step(true, true)],
    K: ["previous deny or ask", () => step(false, true)],
    r: ["make a rule", () => data && go(`/r?event=${encodeURIComponent(data.id)}`)],
    p: ["what today's hooks would decide", () => data && today.flip()],
    Escape: ["to the timeline", () => go(around ?? "/t")],
  });
  if (error && !data) return html`<${Missing} error=${error} id=${id} again=${again} />`;
  if (!data) return html`<${Loading} />`;
  return html`<article class="event page" data-id=${data.id}>
    <p class="back"><a href=${around}>◂ in the timeline</a></p>
    <${Head} data=${data} step=${step} today=${today} />
    <${Body} data=${data} today=${today} />
  </article>`;
};
