// What became of each hook, over time: a strip of columns for each of them. Filling, hatching and outline tell the same as
// colour: denied is full, asked is hatched, failed is hollow, and what only ran is pale.
import { clock, count, day, kDay, moment } from "../format.js";
import { html, useState } from "../html.js";
import { Said, plain } from "../text.js";

const kHeight = 30;
const kFirst = 12;
/** From the bottom up. */
const fates = [["deny", "denied"], ["ask", "asked"], ["failed", "failed"], ["ran", "only ran"]];

const columnsOf = (hook) =>
  hook.runs.map((runs, at) => {
    const [deny, ask, failed] = [hook.deny[at], hook.ask[at], hook.failed[at]];
    return { deny, ask, failed, ran: Math.max(0, runs - deny - ask - failed), skipped: hook.skipped[at], all: runs };
  });

/** One path for each fate, so that a strip of a year stays light. Square roots: a few denies stay visible beside many runs. */
const pathsOf = (columns) => {
  // A single hour must not become a wall.
  const edge = (1 - Math.min(0.8, columns.length / 24)) / 2;
  const most = Math.max(1, ...columns.map(({ all }) => all));
  const tall = (value) => Math.sqrt(value / most) * (kHeight - 1);
  const paths = { deny: "", ask: "", failed: "", ran: "" };
  columns.forEach((column, at) => {
    let done = 0;
    for (const [of] of fates) {
      if (!column[of]) continue;
      const bottom = kHeight - tall(done);
      done += column[of];
      const top = Math.min(kHeight - tall(done), bottom - 1.5);
      paths[of] += `M${at + edge} ${bottom}V${top}H${at + 1 - edge}V${bottom}Z`;
    }
  });
  return paths;
};

const told = (column) =>
  [...fates.map(([of, word]) => column[of] && `${count(column[of])} ${word}`), column.skipped && `${count(column.skipped)} skipped`].filter(Boolean).join(", ");

const Strip = ({ hook, from, step }) => {
  const columns = columnsOf(hook);
  const paths = pathsOf(columns);
  const total = { deny: 0, ask: 0, failed: 0, ran: 0, skipped: 0 };
  for (const column of columns) for (const key of Object.keys(total)) total[key] += column[key];
  const when = (at) => (step >= kDay ? day(from + at * step) : moment(from + at * step, false));
  return html`<svg class="strip" viewBox=${`0 0 ${columns.length} ${kHeight}`} preserveAspectRatio="none" role="img" aria-label=${plain(`${hook.name}: ${told(total) || "never ran"}`)}>
    ${fates.map(([of]) => paths[of] && html`<path key=${of} class=${of} d=${paths[of]} />`)}
    ${columns.map((column, at) => (column.all > 0 || column.skipped > 0) && html`<rect key=${at} class="hit" x=${at} y="0" width="1" height=${kHeight}><title>${when(at)}: ${told(column)}</title></rect>`)}
  </svg>`;
};

export const FatesOverTime = ({ series }) => {
  const [all, setAll] = useState(false);
  const { hooks, from, step } = series;
  const shown = all ? hooks : hooks.slice(0, kFirst);
  const end = from + hooks[0].runs.length * step;
  const edge = (time) => (step >= kDay ? day(time) : `${day(time)} ${clock(time).slice(0, 5)}`);
  return html`<figure class="fates-over-time">
    <figcaption>${step >= kDay ? "what became of hooks, per day" : "what became of hooks, per hour"}
      <span class="legend">${fates.map(([of, word]) => html`<span key=${of} class=${`fate-key ${of}`}><i></i>${word}</span>`)}</span></figcaption>
    <svg class="patterns" aria-hidden="true"><defs><pattern id="hatch" patternUnits="userSpaceOnUse" width="0.4" height="4"><rect class="ask-ground" width="0.4" height="4" /><rect class="ask-stripe" width="0.4" height="2" /></pattern></defs></svg>
    <dl>${shown.map((hook) => html`<div key=${hook.name}><dt><a href=${`/t?range=all&q=hook:${encodeURIComponent(hook.name)}`}><${Said} text=${hook.name} limit=${80} /></a></dt><dd><${Strip} hook=${hook} from=${from} step=${step} /></dd></div>`)}</dl>
    <div class="ends soft"><span>${edge(from)}</span><span>${edge(step >= kDay ? end - 1 : end)}</span></div>
    ${hooks.length > shown.length && html`<button class="small" type="button" onClick=${() => setAll(true)}>${count(hooks.length - shown.length)} more hooks</button>`}
  </figure>`;
};
