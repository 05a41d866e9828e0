import { get } from "../api.js";
import { ago, count, plural, took } from "../format.js";
import { html } from "../html.js";
import { useKeys } from "../keys.js";
import { Choices, Command, Empty, Shape, Shown, Spark, useData } from "../parts.js";
import { change, route } from "../route.js";
import { Path, Said } from "../text.js";

const kSlow = 100_000; // microseconds

const sets = [
  { value: "", label: "all", has: () => true },
  { value: "never", label: "never fired", has: (hook) => !hook.runs },
  { value: "failing", label: "failing", has: (hook) => hook.failed > 0 },
  { value: "slow", label: "slow", title: "p95 over 100 ms", has: (hook) => hook.p95_us > kSlow },
  { value: "untrusted", label: "untrusted", has: (hook) => hook.trusted === false },
  { value: "off", label: "off", has: (hook) => hook.enabled === false },
];

const columns = [
  { key: "name", label: "hook", value: (hook) => hook.name },
  { key: "events", label: "event, when", value: (hook) => (hook.events ?? []).join(" ") },
  { key: "state", label: "state", value: (hook) => stateOf(hook) },
  { key: "spark", label: "fired" },
  { key: "last", label: "last", value: (hook) => -Date.parse(hook.last ?? 0) || 0 },
  { key: "runs", label: "ran", number: true, value: (hook) => -(hook.runs ?? 0) },
  { key: "failed", label: "failed", number: true, value: (hook) => -(hook.failed ?? 0) },
  { key: "denied", label: "denied", number: true, value: (hook) => -(hook.denied ?? 0) },
  { key: "asked", label: "asked", number: true, value: (hook) => -(hook.asked ?? 0) },
  { key: "p50", label: "p50", number: true, value: (hook) => -(hook.p50_us ?? 0) },
  { key: "p95", label: "p95", number: true, value: (hook) => -(hook.p95_us ?? 0) },
];

const stateOf = (hook) => {
  if (hook.enabled === false) return "off";
  if (hook.trusted === false) return "untrusted";
  return hook.mode === "observe" ? "observes" : "on";
};

const place = (source) => [source?.file, source?.line].filter(Boolean).join(":");

const Row = ({ hook }) => {
  const state = stateOf(hook);
  return html`<tr class=${state}>
    <td class="name"><a href=${`/t?range=all&q=hook:${encodeURIComponent(hook.name)}`}><${Said} text=${hook.name} limit=${120} /></a>
      <div class="soft source"><${Path} text=${place(hook.source)} />${hook.pack && html` · pack <${Said} text=${hook.pack} />`}</div></td>
    <td><${Said} text=${(hook.events ?? []).join(", ")} /> <div class="soft"><${Said} text=${[hook.matcher, hook.action ?? hook.command].filter(Boolean).join(" → ")} limit=${160} /></div></td>
    <td><span class=${`state-word ${state}`}>${state === "on" ? html`<${Shape} of="ok" />` : html`<${Shape} of="skipped" />`}${state === "untrusted" ? html`<a href="/trust">untrusted</a>` : state}</span>
      <div class="soft"><${Said} text=${[hook.scope, hook.dialect, hook.warm && "warm"].filter(Boolean).join(" · ")} /></div>
      ${hook.sandbox && html`<div class="soft sandbox">sandbox <${Said} text=${hook.sandbox} limit=${160} /></div>`}</td>
    <td class="fired">${hook.spark?.length ? html`<${Spark} of=${hook.spark} title=${`runs of the last ${hook.spark.length} hours: ${hook.spark.reduce((a, b) => a + b, 0)}`} />` : ""}</td>
    <td class="soft" data-label="last">${hook.last ? ago(hook.last) : "never"}</td>
    <td class="n" data-label="ran">${count(hook.runs)}</td>
    <td data-label="failed" class=${`n${hook.failed ? " failed" : " soft"}`}>${hook.failed ? html`<${Shape} of="failed" />` : ""}${count(hook.failed)}</td>
    <td data-label="denied" class=${`n${hook.denied ? " deny" : " soft"}`}>${count(hook.denied)}</td>
    <td data-label="asked" class=${`n${hook.asked ? " ask" : " soft"}`}>${count(hook.asked)}</td>
    <td class="n" data-label="p50">${hook.runs ? took(hook.p50_us) : "–"}</td>
    <td data-label="p95" class=${`n${hook.p95_us > kSlow ? " ask" : ""}`}>${hook.runs ? took(hook.p95_us) : "–"}</td>
  </tr>`;
};

const Table = ({ hooks }) => {
  const { params } = route.value;
  const only = params.get("only") ?? "";
  const sort = params.get("sort") ?? "";
  const text = params.get("q") ?? "";
  const chosen = sets.find(({ value }) => value === only) ?? sets[0];
  const by = columns.find(({ key }) => key === sort)?.value;
  const shown = hooks.filter(chosen.has).filter((hook) => JSON.stringify([hook.name, hook.source, hook.events, hook.command]).toLowerCase().includes(text.toLowerCase()));
  if (by) shown.sort((a, b) => (by(a) < by(b) ? -1 : by(a) > by(b) ? 1 : 0));
  return html`
    <div class="row">
      <${Choices} label="only" of=${sets.map((set) => ({ ...set, label: `${set.label} ${hooks.filter(set.has).length}` }))} value=${only} pick=${(value) => change({ only: value }, { replace: true })} />
      <div class="filter"><input id="hooks-filter" type="search" aria-label="filter hooks" placeholder="name, file, event" value=${text} onInput=${(event) => change({ q: event.target.value }, { replace: true })} /><kbd aria-hidden="true">/</kbd></div>
    </div>
    <div class="scroll"><table class="wide">
      <thead><tr>${columns.map(({ key, label, value, number }) => html`<th key=${key} scope="col" class=${number ? "n" : ""} aria-sort=${sort === key ? (number ? "descending" : "ascending") : undefined}>
        ${value ? html`<button class="plain" type="button" onClick=${() => change({ sort: sort === key ? null : key }, { replace: true })}>${label}${sort === key ? " ▾" : ""}</button>` : label}</th>`)}</tr></thead>
      <tbody>${shown.map((hook, at) => html`<${Row} key=${at} hook=${hook} />`)}</tbody>
    </table></div>
    ${!shown.length && html`<p class="soft">No hook is ${chosen.label}${text ? ` and matches “${text}”` : ""}.</p>`}
  `;
};

/** `stats` and `list` have names of their own for the same numbers. */
const counted = (hook) => ({
  ...hook,
  failed: hook.failed ?? hook.failures ?? 0,
  denied: hook.denied ?? hook.denials ?? 0,
  asked: hook.asked ?? hook.asks ?? 0,
  runs: hook.runs ?? hook.fired?.runs ?? 0,
  last: hook.last ?? hook.fired?.last,
});

export const Hooks = () => {
  const shown = useData(async (signal) => ({ hooks: (await get("/api/hooks", {}, signal)).hooks.map(counted) }), []);
  useKeys("hooks", { "/": ["filter", () => document.getElementById("hooks-filter")?.focus()] });
  return html`<div class="column">
    <div class="row"><h1>Hooks</h1>${shown.data && html`<span class="soft">${plural(shown.data.hooks.length, "hook")}</span>`}</div>
    <${Shown} of=${shown}>${(data) =>
      data.hooks.length
        ? html`<${Table} hooks=${data.hooks} />`
        : html`<${Empty} title="No hooks yet"><p>This asks which jobs Grapnel should do, such as stopping force pushes, and writes the rules with tests:</p><p><${Command} text="grapnel init" /></p><p>Or <a href="/r">write a rule</a> and see what it would have done.</p><//>`}<//>
  </div>`;
};
