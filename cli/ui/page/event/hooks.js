// The hooks of an event as bars over its time: which ran when, how it ended, and why others did not run.
import { plural, took } from "../format.js";
import { html, useState } from "../html.js";
import { Shape, Verdict } from "../parts.js";
import { Path, Said } from "../text.js";

const kFolded = 4;

const shapeOf = (hook) => (hook.fate === "failed" ? "failed" : hook.fate === "skipped" ? "skipped" : (hook.verdict ?? hook.would ?? "ok"));

const looks = { "error:": "failed", "refused:": "failed", "without its sandbox:": "failed", "left running:": "failed", from: "code", ran: "code", in: "code", answered: "code" };

const Bar = ({ hook, total }) => {
  if (hook.us === undefined) return null;
  const from = Math.min(99, ((hook.at_us ?? 0) / total) * 100);
  const width = Math.min(100 - from, Math.max(0.6, (hook.us / total) * 100));
  return html`<div class="track" role="img" aria-label=${`started after ${took(hook.at_us ?? 0)}, took ${took(hook.us)}`}>
    <div class=${`fill ${shapeOf(hook)}`} style=${{ left: `${from}%`, width: `${width}%` }}></div>
  </div>`;
};

/** What `grapnel why` tells about a hook, line by line; and what a rule answered, which starts no process. */
const Details = ({ hook }) => html`<dl class="small-facts">
  ${hook.lines.map(({ word, text }, at) => {
    const Shown = word === "from" ? Path : Said;
    return html`<dt key=${`k${at}`}>${word.replace(/:$/, "")}</dt><dd key=${`v${at}`} class=${looks[word] ?? ""}><${Shown} text=${text} lines /></dd>`;
  })}
  ${hook.answer && !hook.argv && html`<dt>answered</dt><dd class="code"><${Said} text=${JSON.stringify(hook.answer)} /></dd>`}
</dl>`;

const Hook = ({ hook, total }) => {
  const skipped = hook.fate === "skipped";
  return html`<li class=${`hook ${hook.fate}`}>
    <div class="line">
      <span class="name"><${Shape} of=${shapeOf(hook)} /><${Said} text=${hook.name} limit=${120} /></span>
      <span class="fate">${hook.fate}${hook.detail && html`<span class="soft">, <${Said} text=${hook.detail} limit=${600} /></span>`}</span>
      ${hook.verdict && !skipped && html`<${Verdict} of=${hook.verdict} />`}
      ${hook.would && html`<span class="soft">would <${Verdict} of=${hook.would} /></span>`}
      <span class="us">${took(hook.us)}</span>
    </div>
    <${Bar} hook=${hook} total=${total} />
    ${!skipped ? html`<${Details} hook=${hook} />` : hook.source && html`<div class="soft from"><code><${Path} text=${hook.source} /></code></div>`}
  </li>`;
};

export const Hooks = ({ why, lines }) => {
  const [open, setOpen] = useState(false);
  const hooks = (why.hooks ?? []).map((hook, at) => ({ ...hook, lines: lines?.[at] ?? [] }));
  const ran = hooks.filter(({ fate }) => fate !== "skipped");
  const skipped = hooks.filter(({ fate }) => fate === "skipped");
  const total = Math.max(1, why.us ?? 0, ...ran.map(({ at_us = 0, us = 0 }) => at_us + us));
  const shown = open || skipped.length <= kFolded ? skipped : skipped.slice(0, kFolded);
  const stages = new Set(ran.map(({ stage }) => stage));
  let last;
  return html`<section class="hooks">
    <h2>hooks <span class="scale"><span>0</span><span class="rule"></span><span>${took(total)}</span></span></h2>
    ${!hooks.length && html`<p class="soft">No hook is configured for this event. <a href="/r">Write a rule</a>, or run <code>grapnel init</code>.</p>`}
    <ol>
      ${ran.map((hook, at) => {
        const head = stages.size > 1 && hook.stage !== last;
        last = hook.stage;
        return html`${head && html`<li class="stage soft">stage ${hook.stage}</li>`}<${Hook} key=${at} hook=${hook} total=${total} />`;
      })}
      ${shown.map((hook, at) => html`<${Hook} key=${`s${at}`} hook=${hook} total=${total} />`)}
    </ol>
    ${shown.length < skipped.length && html`<button class="small" type="button" onClick=${() => setOpen(true)}>${plural(skipped.length - shown.length, "more skipped hook")}</button>`}
    ${(why.not_used ?? []).length > 0 && html`<div class="not-used"><h3>not used</h3><ul>${why.not_used.map((item, at) => html`<li key=${at}><${Said} text=${typeof item === "string" ? item : (item.message ?? JSON.stringify(item))} /></li>`)}</ul></div>`}
  </section>`;
};
