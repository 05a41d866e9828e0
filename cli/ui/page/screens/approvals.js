// Asks that wait for a person. Nothing is preselected, and a card that has just moved takes no answer: an Enter that was
// meant for something else must not approve.
import { get, post } from "../api.js";
import { ago, answered, count, leaf, millis, short } from "../format.js";
import { html, useEffect, useState } from "../html.js";
import { Command, Empty, Shape, Shown, useData } from "../parts.js";
import { address } from "../route.js";
import { dialog, mayWrite, now, tell, waiting, whenUnlocked } from "../state.js";
import { Path, Said } from "../text.js";

const kSettle = 500;

const left = (ask) => Math.max(0, millis(ask.expires_at) - now.value);
const two = (number) => String(number).padStart(2, "0");
const countdown = (ms) => `${two(Math.floor(ms / 60_000))}:${two(Math.floor((ms % 60_000) / 1000))}`;

/** `npm publish *`, of `npm publish --tag next`. */
const widened = (subject) => `${String(subject ?? "").trim().split(/\s+/).slice(0, 2).join(" ")} *`;

const ForSession = ({ ask, answer, back }) => {
  const [how, setHow] = useState("");
  const [pattern, setPattern] = useState(widened(ask.subject));
  const send = () => answer({ answer: "session", ...(how === "pattern" ? { pattern } : {}) });
  return html`<fieldset class="more"><legend>For the rest of this session, allow</legend>
    <label><input type="radio" name=${`how-${ask.id}`} checked=${how === "exact"} onChange=${() => setHow("exact")} /> exactly this: <code><${Said} text=${ask.subject} limit=${200} /></code></label>
    ${ask.is_command !== false && html`<label><input type="radio" name=${`how-${ask.id}`} checked=${how === "pattern"} onChange=${() => setHow("pattern")} /> everything like
      <input class="pattern" aria-label="pattern" value=${pattern} onFocus=${() => setHow("pattern")} onInput=${(event) => setPattern(event.target.value)} /></label>`}
    <div class="row"><button class="main" type="button" disabled=${!how} onClick=${send}>allow for this session</button> <button type="button" onClick=${back}>back</button></div>
  </fieldset>`;
};

const AsRule = ({ ask, answer, back }) => {
  const [yaml, setYaml] = useState("");
  const [scope, setScope] = useState("user");
  useEffect(() => {
    post("/api/rules/from", { id: ask.id }).then((reply) => setYaml(reply.yaml), (error) => tell(error.message, "error"));
  }, [ask.id]);
  return html`<fieldset class="more"><legend>A rule that answers from now on</legend>
    <textarea aria-label="rule" rows="8" spellcheck=${false} value=${yaml} onInput=${(event) => setYaml(event.target.value)}></textarea>
    <div class="row">
      <label><input type="radio" name=${`scope-${ask.id}`} checked=${scope === "user"} onChange=${() => setScope("user")} /> for me</label>
      <label><input type="radio" name=${`scope-${ask.id}`} checked=${scope === "project"} onChange=${() => setScope("project")} /> for the project</label>
      <button class="main" type="button" disabled=${!yaml.trim()} onClick=${() => answer({ answer: "rule", yaml, scope })}>save the rule and answer with it</button>
      <button type="button" onClick=${back}>back</button>
    </div>
  </fieldset>`;
};

const Similar = ({ list }) =>
  list?.length > 0 &&
  html`<details open=${list.length <= 3}><summary>${count(list.length)} similar in 30 days</summary>
    <ul class="similar">${list.slice(0, 8).map((old, at) => html`<li key=${at}><span class="soft">${ago(old.time)}</span> <code><${Said} text=${old.subject} limit=${120} /></code> <b>${answered(old.answer)}</b></li>`)}</ul></details>`;

const Card = ({ ask, settled }) => {
  const [mode, setMode] = useState("");
  const [busy, setBusy] = useState(false);
  const [reason, setReason] = useState("");
  const rest = left(ask);
  const total = Math.max(1, millis(ask.expires_at) - millis(ask.asked_at));
  const over = rest <= 0;
  const send = (given) => {
    if (!settled) return;
    whenUnlocked(async () => {
      setBusy(true);
      try {
        // The digest says what was on the screen: an answer to something else is refused.
        await post(`/api/approvals/${encodeURIComponent(ask.id)}`, { ...given, digest: ask.digest });
        waiting.value = waiting.value.filter(({ id }) => id !== ask.id);
        tell(given.answer === "deny" ? "denied" : "allowed");
      } catch (error) {
        setBusy(false);
        tell(error.status === 409 ? "too late: somebody answered, or the time was over" : error.message, "error");
      }
    });
  };
  const so = ask.session_so_far ?? {};
  return html`<article class="ask-card" aria-label=${`ask of ${ask.agent}`} data-id=${ask.id}>
    <header>
      <span class=${`left${rest < 15_000 ? " soon" : ""}`} role="timer"><${Shape} of="ask" />${over ? "over" : html`${countdown(rest)} left`}</span>
      <b><${Said} text=${ask.agent} limit=${40} /></b> <code title=${ask.session}>${short(ask.session)}</code> <span class="soft"><${Said} text=${leaf(ask.project)} limit=${60} /></span>
      <span class="gap"></span><a href=${address("/t", { range: "all", q: `session:${ask.session}` })}>its session</a>
    </header>
    <div class="timebar" aria-hidden="true"><div style=${{ width: `${(rest / total) * 100}%` }}></div></div>
    <div class="subject-box ask"><span class="soft tool"><${Said} text=${ask.tool} limit=${60} /></span> <${Said} text=${ask.subject} lines /></div>
    <p class="because">${ask.reason && html`<strong>“<${Said} text=${ask.reason} />”</strong>`} <span class="soft">asked by <${Said} text=${ask.hook} />${ask.source && html`, <${Path} text=${ask.source} />`}</span></p>
    <p class="soft">This session so far: ${count(so.events)} events, ${count(so.deny)} denied, ${count(so.ask)} asked.</p>
    ${ask.input && html`<details><summary>the whole call</summary><pre tabindex="0"><${Said} text=${JSON.stringify(ask.input, null, 2)} lines limit=${20000} /></pre></details>`}
    <${Similar} list=${ask.similar} />
    ${mode === "" && html`<div class="answers">
      <button class="deny" type="button" disabled=${busy || over} onClick=${() => send({ answer: "deny", reason: reason.trim() })}><${Shape} of="deny" />deny</button>
      <button class="allow" type="button" disabled=${busy || over} onClick=${() => send({ answer: "once" })}><${Shape} of="allow" />allow once</button>
      <button type="button" disabled=${busy || over} onClick=${() => settled && setMode("session")}>this session…</button>
      <button type="button" disabled=${busy || over} onClick=${() => settled && setMode("rule")}>make a rule…</button>
      <label class="reason">reason <input value=${reason} placeholder="of a deny; the model is told" autocomplete="off" onInput=${(event) => setReason(event.target.value)} /></label>
    </div>`}
    ${mode === "session" && html`<${ForSession} ask=${ask} answer=${send} back=${() => setMode("")} />`}
    ${mode === "rule" && html`<${AsRule} ask=${ask} answer=${send} back=${() => setMode("")} />`}
    <p class="soft">Without an answer, the agent does what it does by itself. Closing this page answers nothing.</p>
  </article>`;
};

/** False for half a second after the cards moved. */
const useSettled = (asks) => {
  const ids = asks.map(({ id }) => id).join(" ");
  const [settledFor, setSettledFor] = useState(null);
  useEffect(() => {
    const timer = setTimeout(() => setSettledFor(ids), kSettle);
    return () => clearTimeout(timer);
  }, [ids]);
  return settledFor === ids;
};

const Quiet = ({ settings }) => html`<${Empty} title="Nobody waits for you">
  ${settings?.enabled
    ? html`<p>When a hook asks, the question appears here and in the title of this tab. You have ${settings.deadline_s ? `${settings.deadline_s} s` : "some time"} for an answer; without one, the agent does what it does by itself.</p>
        ${!mayWrite.value && html`<p>Hooks wait only while somebody can answer: <button type="button" onClick=${() => (dialog.value = "unlock")}>unlock this page</button></p>`}
        <p>In a terminal, the same questions:</p><p><${Command} text="grapnel approve" /></p>`
    : html`<p>Asks go to the agent itself today; some agents (Codex, Kimi, OpenCode) cannot ask, and deny instead. To answer here, put this line into <code>~/.config/grapnel/settings.yaml</code>:</p>
        <p><${Command} text="ask: page" /></p>`}
<//>`;

export const Approvals = () => {
  const first = useData((signal) => get("/api/approvals", {}, signal), []);
  useEffect(() => {
    if (first.data) waiting.value = first.data.waiting;
  }, [first.data]);
  // Those that ended leave; the next message of the server would remove them anyway.
  const asks = waiting.value.filter((ask) => millis(ask.expires_at) > now.value - 3000);
  const settled = useSettled(asks);
  return html`<div class="column">
    <div class="row"><h1>Approvals</h1>${asks.length > 0 && !mayWrite.value && html`<span class="soft">the first answer asks for the code on your terminal</span>`}</div>
    <${Shown} of=${first}>${(data) => asks.length ? html`<div class=${`cards${settled ? " settled" : ""}`}>${asks.map((ask) => html`<${Card} key=${ask.id} ask=${ask} settled=${settled} />`)}</div>` : html`<${Quiet} settings=${data.settings} />`}<//>
  </div>`;
};
