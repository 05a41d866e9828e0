import { get } from "../api.js";
import { ago, count, kDay, moment, plural, took } from "../format.js";
import { html, useEffect, useRef, useState } from "../html.js";
import { useKeys } from "../keys.js";
import { Choices, Command, Empty, Shape, Shown, useData } from "../parts.js";
import { change, route } from "../route.js";
import { shownTheme, theme } from "../state.js";
import { Said } from "../text.js";
import { FilterBox } from "../timeline/filter.js";
import { ranges } from "../timeline/scale.js";
import { FatesOverTime } from "./fates.js";

/** A chart that is drawn by a part of the page that only this screen loads. */
const Chart = ({ kind, data, title }) => {
  const host = useRef(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let chart;
    let ended = false;
    import("../charts.js").then(
      (charts) => {
        if (!ended) chart = charts[kind](host.current, data);
      },
      () => setFailed(true),
    );
    return () => {
      ended = true;
      chart?.();
    };
  }, [data, theme.value, shownTheme()]);
  return html`<figure class="chart"><figcaption>${title}</figcaption>${failed ? html`<p class="soft">the chart could not be loaded</p>` : html`<div ref=${host}></div>`}</figure>`;
};

const Fates = ({ hook, most }) => {
  const parts = [["deny", hook.denials], ["ask", hook.asks], ["failed", hook.failures], ["pass", Math.max(0, hook.runs - hook.denials - hook.asks - hook.failures)]];
  return html`<div class="fates" role="img" aria-label=${`${hook.runs} runs: ${hook.denials} denied, ${hook.asks} asked, ${hook.failures} failed`}>
    ${parts.filter(([, number]) => number > 0).map(([of, number]) => html`<div key=${of} class=${of} style=${{ width: `${(number / most) * 100}%` }} title=${`${of} ${count(number)}`}></div>`)}
  </div>`;
};

const HookTable = ({ hooks }) => {
  const most = Math.max(1, ...hooks.map(({ runs }) => runs));
  return html`<div class="scroll"><table class="wide stats-hooks">
    <thead><tr>${["hook", "fates", "runs", "denied", "asked", "failed", "skipped", "would", "p50", "p95", "max", "last"].map((name, at) => html`<th key=${name} scope="col" class=${at > 1 && at < 11 ? "n" : ""}>${name}</th>`)}</tr></thead>
    <tbody>${hooks.map((hook, at) => html`<tr key=${at} data-hook=${hook.name}>
      <td><a href=${`/t?range=all&q=hook:${encodeURIComponent(hook.name)}`}><${Said} text=${hook.name} limit=${80} /></a></td>
      <td class="fate-bar"><${Fates} hook=${hook} most=${most} /></td>
      <td class="n runs" data-label="runs">${count(hook.runs)}</td>
      <td data-label="denied" class=${`n denials${hook.denials ? " deny" : " soft"}`}>${count(hook.denials)}</td>
      <td data-label="asked" class=${`n asks${hook.asks ? " ask" : " soft"}`}>${count(hook.asks)}</td>
      <td data-label="failed" class=${`n failures${hook.failures ? " failed" : " soft"}`}>${count(hook.failures)}</td>
      <td class="n soft skipped" data-label="skipped">${count(hook.skipped)}</td>
      <td class="n soft" data-label="would">${[hook.would_deny && `${count(hook.would_deny)} deny`, hook.would_ask && `${count(hook.would_ask)} ask`].filter(Boolean).join(", ") || "–"}</td>
      ${["p50", "p95", "max"].map((name) => html`<td key=${name} class="n" data-label=${name}>${hook.runs ? took(hook[`${name}_us`]) : "–"}</td>`)}
      <td class="soft" data-label="last">${hook.last ? ago(hook.last) : "never"}</td>
    </tr>`)}</tbody>
  </table></div>`;
};

const days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const Heat = ({ heat }) => {
  const most = Math.max(1, ...heat.flat());
  return html`<figure class="chart"><figcaption>hour × weekday</figcaption>
    <div class="scroll"><table class="heat"><thead><tr><th></th>${Array.from({ length: 24 }, (_, hour) => html`<th key=${hour} scope="col">${hour % 6 === 0 ? hour : ""}</th>`)}</tr></thead>
      <tbody>${heat.map((row, at) => html`<tr key=${at}><th scope="row">${days[at]}</th>${row.map((value, hour) => html`<td key=${hour} title=${`${days[at]} ${hour}:00: ${count(value)} events`}>
        <span style=${{ opacity: value ? 0.15 + 0.85 * Math.sqrt(value / most) : 0 }}></span><span class="sr">${value}</span></td>`)}</tr>`)}</tbody></table></div></figure>`;
};

const Total = ({ label, value, kind, hint }) => html`<div class="fact" title=${hint}><dt>${label}</dt><dd class=${value ? kind : ""}>${kind && value ? html`<${Shape} of=${kind} />` : ""}${count(value)}</dd></div>`;

const Body = ({ data }) => {
  const { stats, series, latency, heat } = data;
  const denying = series?.hooks?.some(({ deny }) => deny.some(Boolean));
  if (!stats.records && !stats.hooks.length) {
    return html`<${Empty} title="Nothing to count yet"><p>No event in this range. Statistics come from the journal; an agent has to call Grapnel first.</p><p><${Command} text="grapnel install claude" /></p><//>`;
  }
  return html`
    <dl class="numbers-row">
      <${Total} label="records" value=${stats.records} />
      <${Total} label="denied" value=${stats.hooks.reduce((sum, { denials }) => sum + denials, 0)} kind="deny" />
      <${Total} label="asked" value=${stats.hooks.reduce((sum, { asks }) => sum + asks, 0)} kind="ask" />
      <${Total} label="hook failures" value=${stats.hooks.reduce((sum, { failures }) => sum + failures, 0)} kind="failed" />
      <${Total} label="rewrites" value=${data.rewrites} kind="rewrite" />
      <${Total} label="fail-open" value=${data.fail_open} kind="ask" hint="a hook failed, and the call went on" />
      <${Total} label="degraded" value=${data.degraded} kind="ask" hint="the agent could not be told all" />
      <${Total} label="lost" value=${stats.lost ?? data.lost} kind="deny" hint="records that could not be written" />
    </dl>
    <div class="charts">
      ${denying && html`<${Chart} kind="denies" data=${series} title=${series.step >= kDay ? "denies per rule and day" : "denies per rule and hour"} />`}
      ${latency?.length > 1 && html`<${Chart} kind="latency" data=${latency} title="time of hooks: p50, p95, p99" />`}
      ${heat?.length > 0 && html`<${Heat} heat=${heat} />`}
    </div>
    ${series?.hooks?.length > 0 && html`<${FatesOverTime} series=${series} />`}
    <h2>hooks</h2>
    <${HookTable} hooks=${stats.hooks} />
    ${stats.never_fired?.length > 0 && html`<h2>never fired</h2><ul class="never">${stats.never_fired.map((hook, at) => html`<li key=${at}><${Said} text=${hook.name} /> <span class="soft">in ${plural(hook.own_events, "event")} of its kind</span></li>`)}</ul>`}
    ${stats.lost_since && html`<p class="soft">Records were lost since ${moment(stats.lost_since)}.</p>`}
  `;
};

export const Stats = () => {
  const { params } = route.value;
  const q = params.get("q") ?? "";
  const range = params.get("range") ?? "all";
  const span = ranges.find(({ value }) => value === range)?.span ?? Infinity;
  const shown = useData((signal) => get("/api/stats", { q, from: span === Infinity ? undefined : Date.now() - span }, signal), [q, range]);
  useKeys("stats", { "/": ["filter", () => document.getElementById("filter")?.focus()] });
  return html`<div class="column">
    <div class="row"><h1>Stats</h1>
      <${Choices} label="range" of=${ranges} value=${range} pick=${(value) => change({ range: value })} />
      <${FilterBox} q=${q} set=${(text) => change({ q: text })} /></div>
    <${Shown} of=${shown}>${(data) => html`<${Body} data=${data} />`}<//>
  </div>`;
};
