// The machines of a fleet, as its collector knows them: `grapnel ui --fleet`.
import { get } from "../api.js";
import { ago, brief, bytes, count, plural } from "../format.js";
import { html, useEffect } from "../html.js";
import { Empty, Shape, Shown, useData } from "../parts.js";
import { now } from "../state.js";
import { Said } from "../text.js";

const kPause = 5000;

const policyOf = ({ policy, policy_expired }) =>
  policy ? html`v${policy.version} <${Said} text=${policy.name} limit=${60} />${policy_expired && html` <span class="state-word changed">expired</span>`}` : html`<span class="soft">none</span>`;

const Machine = ({ machine, state, seen, records, remarks }) => html`<tr class=${remarks?.length ? "troubled" : ""}>
  <td class="name"><${Said} text=${machine} limit=${80} /></td>
  <td data-label="seen" title=${seen}>${seen ? ago(seen, now.value) : html`<span class="soft">never</span>`}</td>
  <td data-label="version"><${Said} text=${state.version ?? ""} limit=${40} /></td>
  <td data-label="channel"><${Said} text=${state.channel ?? ""} limit=${40} /></td>
  <td data-label="policy">${policyOf(state)}</td>
  <td class="n" data-label="records">${count(records)}</td>
  <td class="n" data-label="waiting">${bytes(state.waiting_bytes ?? 0)}</td>
  <td>${remarks?.length > 0 && html`<span class="state-word changed"><${Shape} of="ask" /></span> <${Said} text=${remarks.join("; ")} limit=${400} />`}</td>
</tr>`;

const Machines = ({ list }) => html`<div class="scroll"><table class="wide machines">
  <thead><tr>${["machine", "seen", "version", "channel", "policy"].map((title) => html`<th key=${title} scope="col">${title}</th>`)}
    ${["records", "waiting"].map((title) => html`<th key=${title} scope="col" class="n">${title}</th>`)}<th scope="col">remarks</th></tr></thead>
  <tbody>${list.map((machine) => html`<${Machine} key=${machine.machine} ...${machine} />`)}</tbody>
</table></div>`;

const Denies = ({ list }) =>
  list.length === 0
    ? html`<p class="soft">No rule has denied anything in the last 24 hours.</p>`
    : html`<table class="wide denies"><thead><tr><th scope="col">rule</th><th scope="col" class="n">denied</th><th scope="col" class="n">machines</th></tr></thead>
        <tbody>${[...list].sort((a, b) => b.denials - a.denials).map(({ hook, denials, machines }) => html`<tr key=${hook}>
          <td class="name"><${Said} text=${hook} limit=${120} /></td><td class="n"><${Shape} of="deny" />${count(denials)}</td><td class="n" data-label="machines">${count(machines)}</td></tr>`)}</tbody></table>`;

const Latest = ({ list }) => html`<table class="wide latest">
  <thead><tr>${["when", "machine", "rule", "about"].map((title) => html`<th key=${title} scope="col">${title}</th>`)}</tr></thead>
  <tbody>${[...list].reverse().map(({ machine, record }) => html`<tr key=${`${machine} ${record.hash}`}>
    <td data-label="when">${brief(record.time)}</td><td data-label="machine"><${Said} text=${machine} limit=${80} /></td>
    <td data-label="rule"><${Said} text=${record.decided_by ?? ""} limit=${80} /></td>
    <td><code><${Said} text=${record.subject ?? record.tool ?? ""} limit=${300} /></code>${record.reason && html` <span class="soft"><${Said} text=${record.reason} limit=${200} /></span>`}</td></tr>`)}</tbody>
</table>`;

/** Questions of hooks that wait for a person, if this one may approve. They are answered at the terminal. */
const Asks = ({ list }) => html`<section aria-label="waiting"><h2>${plural(list.length, "question")} ${list.length === 1 ? "waits" : "wait"}</h2>
  <ul class="similar">${list.map((ask) => html`<li key=${ask.id}><${Shape} of="ask" /><b><${Said} text=${ask.machine ?? ""} limit=${80} /></b>
    <code><${Said} text=${ask.subject ?? ask.tool ?? ""} limit=${300} /></code> <span class="soft"><${Said} text=${ask.reason ?? ""} limit=${200} />
    ${ask.asked_at_ms && ` ${ago(ask.asked_at_ms, now.value)}`}</span></li>`)}</ul>
  <p class="soft">Answer them with <code>grapnel fleet approve</code>.</p></section>`;

const Told = ({ data }) => {
  const { machines, records, denies, denials, servers = [], asks = [] } = data;
  if (!machines.length) return html`<${Empty} title="No machine has joined yet"><p>A token lets one in: <code>grapnel fleet token</code>, and there <code>grapnel fleet join TOKEN</code>.</p><//>`;
  return html`
    ${servers.filter(({ trouble }) => trouble).map(({ url, trouble }) => html`<p key=${url} class="problem"><code>${url}</code>: <${Said} text=${trouble} limit=${300} /></p>`)}
    ${asks.length > 0 && html`<${Asks} list=${asks} />`}
    <p class="soft">${plural(machines.length, "machine")}, ${plural(records, "record")} received.</p>
    <${Machines} list=${machines} />
    <section aria-label="denied"><h2>Denied in the last 24 hours, per rule</h2><${Denies} list=${denies ?? []} /></section>
    ${denials?.length > 0 && html`<section aria-label="latest"><h2>Denied last</h2><${Latest} list=${denials} /></section>`}
    <p class="soft">The other screens show the journal of this machine. <code>grapnel fleet log</code> and <code>why</code> ask the central store.</p>`;
};

export const Fleet = () => {
  const shown = useData((signal) => get("/api/fleet", {}, signal), []);
  // Nobody looks at a page that is hidden.
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && shown.again(), kPause);
    return () => clearInterval(timer);
  }, []);
  return html`<div class="column fleet"><div class="row"><h1>Fleet</h1></div><${Shown} of=${shown}>${(data) => html`<${Told} data=${data} />`}<//></div>`;
};
