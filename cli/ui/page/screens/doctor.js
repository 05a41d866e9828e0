import { get } from "../api.js";
import { count, plural, span } from "../format.js";
import { html } from "../html.js";
import { Command, Shape, Shown, Words, useData } from "../parts.js";
import { about } from "../state.js";
import { Path, Said } from "../text.js";

const place = (at) => [at?.file, at?.line].filter(Boolean).join(":");
const shapeOf = { error: "deny", wrong: "deny", warning: "ask", note: "note" };
/** Only what is a command is offered as one. */
const commandOf = (fix) => /^(grapnel|export|chmod|rm|mkdir|sudo)\b/.test(fix ?? "");
const Fix = ({ text }) => {
  if (!text) return null;
  const inside = /`([^`]+)`/.exec(text)?.[1];
  if (commandOf(text)) return html`<${Command} text=${text} />`;
  return html`<p class="fix"><${Words} text=${text} /> ${inside && html`<${Command} text=${inside} />`}</p>`;
};

const Findings = ({ doctor }) => html`<section>
  <h2>${doctor.ok ? html`<${Shape} of="ok" /> Nothing is wrong` : html`<${Shape} of="deny" /> ${plural(doctor.findings.length, "finding")}`} <code class="soft">grapnel doctor</code></h2>
  <ul class="findings">${(doctor.findings ?? []).map((finding, at) => html`<li key=${at} class=${finding.severity}>
    <div><${Shape} of=${shapeOf[finding.severity] ?? "ask"} /><b>${finding.severity}</b> <${Words} text=${finding.what} /></div>
    ${finding.at?.file && html`<div class="soft"><code><${Path} text=${place(finding.at)} /></code></div>`}
    ${finding.why && html`<div class="soft"><${Words} text=${finding.why} /></div>`}
    <${Fix} text=${finding.fix} />
  </li>`)}</ul>
</section>`;

const Verify = ({ verify }) => html`<section>
  <h2><${Shape} of=${verify.faults?.length ? "deny" : "ok"} /> ${verify.faults?.length ? plural(verify.faults.length, "fault") : "The journal is as it was written"} <code class="soft">grapnel log --verify</code></h2>
  <p class="soft">${plural(verify.records ?? 0, "record")}${verify.unfinished ? `, ${count(verify.unfinished)} lines never finished` : ""}</p>
  <ul class="findings">${(verify.faults ?? []).slice(0, 50).map((fault, at) => html`<li key=${at}><code><${Said} text=${`${fault.file}:${fault.line}`} /></code> <${Said} text=${fault.what} /></li>`)}</ul>
</section>`;

const Status = ({ status }) => html`<section>
  <h2><${Shape} of=${status.ok ? "ok" : "ask"} /> What is on <code class="soft">grapnel status</code></h2>
  <div class="scroll"><table><tbody>${(status.lines ?? []).map((line, at) => html`<tr key=${at} class=${line.off ? "off" : ""}>
    <td class="soft">${line.kind}</td><td><${Said} text=${line.name} limit=${200} /></td>
    <td><span class=${`state-word ${line.off ? "untrusted" : "on"}`}><${Shape} of=${line.off ? "ask" : "ok"} />${line.state}</span></td>
    <td><${Words} text=${line.detail} />${line.fix && html`<${Fix} text=${line.fix} />`}</td></tr>`)}</tbody></table></div>
</section>`;

const Serve = ({ serve }) => html`<section>
  <h2><${Shape} of=${serve ? "ok" : "note"} /> ${serve ? "The server runs" : "No server runs"} <code class="soft">grapnel serve --status</code></h2>
  ${serve
    ? html`<dl class="facts">${Object.entries({ pid: serve.pid, version: serve.version, "up for": span((serve.uptime ?? 0) * 1000), requests: count(serve.requests), engines: serve.engines, workers: serve.workers, socket: serve.socket }).map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd><${Said} text=${value} /></dd></div>`)}</dl>`
    : html`<p class="soft">Events are decided without it; with it, each takes a tenth of the time.</p><${Command} text="grapnel serve --background" />`}
</section>`;

const Places = ({ version }) => html`<section>
  <h2>Versions and places</h2>
  <dl class="facts">
    <div><dt>grapnel</dt><dd><${Said} text=${(typeof version === "string" ? version : (version?.version ?? JSON.stringify(version))).trim()} /></dd></div>
    ${about.value && html`<div><dt>journal</dt><dd><code><${Said} text=${about.value.state_dir} /></code></dd></div>
      <div><dt>events</dt><dd>${count(about.value.journal?.events)}</dd></div>
      <div><dt>agents</dt><dd>${about.value.agents_installed?.length ? about.value.agents_installed.join(", ") : html`none yet <${Command} text="grapnel install claude" />`}</dd></div>`}
  </dl>
</section>`;

export const Doctor = () => {
  const shown = useData((signal) => get("/api/doctor", {}, signal), []);
  return html`<div class="column">
    <div class="row"><h1>Doctor</h1><span class="gap"></span><button type="button" disabled=${shown.loading} onClick=${shown.again}>look again</button></div>
    <${Shown} of=${shown}>${({ doctor, verify, serve, status, version }) => html`<div class="sheets">
      ${doctor && html`<${Findings} doctor=${doctor} />`}
      ${status && html`<${Status} status=${status} />`}
      ${verify && html`<${Verify} verify=${verify} />`}
      <${Serve} serve=${serve} />
      <${Places} version=${version} />
    </div>`}<//>
  </div>`;
};
