// What a record says besides its decision.
import { ago, bytes, moment, span, took } from "../format.js";
import { html } from "../html.js";
import { Copy } from "../parts.js";
import { Said } from "../text.js";

/** What the event was about, before and, if a hook rewrote it, after. */
export const subjectOf = (why) => ({
  before: why.subject ?? why.payload?.tool_input?.command ?? why.payload?.tool_input?.file_path ?? why.payload?.prompt,
  after: why.rewritten_subject,
});

const Fact = ({ name, children }) => html`<div><dt>${name}</dt><dd>${children}</dd></div>`;

/** How a tool ended: a word, and its exit status where it has one. */
export const Ended = ({ outcome }) => {
  if (!outcome) return null;
  const word = outcome.interrupted ? "interrupted" : outcome.ok === false ? "failed" : "succeeded";
  return html`<span class=${outcome.ok === false ? "failed" : ""}>${word}</span>${outcome.exit !== undefined && html` <span class="soft">exit ${outcome.exit}</span>`}`;
};

const words = (value) => html`<${Said} text=${typeof value === "string" ? value : JSON.stringify(value)} />`;

export const Facts = ({ data }) => {
  const { why, post } = data;
  // What became of the subject is shown above.
  const { rewrite, ...others } = why.effects ?? {};
  const changed = subjectOf(why).after === undefined ? (why.effects ?? {}) : others;
  const agent = [why.dialect, why.agent_version].filter(Boolean).join(" ");
  return html`<dl class="facts">
    <${Fact} name="at"><time datetime=${why.time}>${moment(why.time)}</time> <span class="soft">${ago(why.time)}</span><//>
    <${Fact} name="id"><code class="id"><${Said} text=${data.id} /></code> <${Copy} text=${data.id} what="the id" /><//>
    ${why.session && html`<${Fact} name="session"><a href=${`/t?range=all&q=session:${encodeURIComponent(why.session)}`}><${Said} text=${why.session} limit=${120} /></a><//>`}
    ${agent && html`<${Fact} name="agent">${words(agent)}<//>`}
    ${(why.agent_id || why.agent_type) && html`<${Fact} name="subagent">${words([why.agent_type, why.agent_id].filter(Boolean).join(" "))}${why.parent && html` <span class="soft">of ${words(why.parent)}</span>`}<//>`}
    ${why.mode && html`<${Fact} name="mode">${words(why.mode)}<//>`}
    ${why.project && html`<${Fact} name="project"><code>${words(why.project)}</code><//>`}
    ${why.cwd && why.cwd !== why.project && html`<${Fact} name="cwd"><code>${words(why.cwd)}</code><//>`}
    ${why.tool_use_id && html`<${Fact} name="call"><code>${words(why.tool_use_id)}</code><//>`}
    ${post && html`<${Fact} name="then"><a href=${`/e/${encodeURIComponent(post.id)}`}>its PostToolUse</a> <span class="soft">+${span(post.after_ms ?? 0)}</span> <${Ended} outcome=${post.outcome} /><//>`}
    ${Object.keys(changed).length > 0 && html`<${Fact} name="changed"><code>${words(changed)}</code><//>`}
    <${Fact} name="cost">${took(why.us) || html`<span class="soft">not on record</span>`}<//>
    ${why.lost_before > 0 && html`<${Fact} name="lost"><span class="failed">${why.lost_before} records before this one could not be written</span><//>`}
  </dl>`;
};

export const Payload = ({ why }) => {
  const kept = why.payload ?? why.subjects;
  return html`<section class="payload">
    <h2>payload ${why.payload ? "" : html`<span class="soft">${why.payload_sha256 ? "digest only" : "not on record"}</span>`}</h2>
    ${kept && html`<pre tabindex="0"><${Said} text=${JSON.stringify(kept, null, 2)} lines limit=${20000} /></pre>`}
    ${why.payload_sha256 && html`<p class="soft digest">sha-256 <code><${Said} text=${why.payload_sha256} /></code>${why.payload_bytes !== undefined && html` · ${bytes(why.payload_bytes)}`}</p>`}
    ${!why.payload && html`<p class="soft">With <code>GRAPNEL_PAYLOADS=full</code> the masked payload is kept, and the event can be fired and replayed again.</p>`}
  </section>`;
};

export const Record = ({ data }) => html`
  <details><summary>what <code>grapnel why</code> prints</summary><pre tabindex="0" class="why-text"><${Said} text=${data.text ?? ""} lines limit=${40000} /></pre></details>
  <details><summary>the whole record</summary><pre tabindex="0"><${Said} text=${JSON.stringify(data.why, null, 2)} lines limit=${40000} /></pre></details>
`;
