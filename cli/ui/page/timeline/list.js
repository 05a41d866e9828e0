// The same events as a table, the newest at the end as in `grapnel log`.
import { day, clock, leaf, short } from "../format.js";
import { html, useLayoutEffect, useRef } from "../html.js";
import { Verdict } from "../parts.js";
import { Said, plain } from "../text.js";

export const by = (row) => {
  if (row.would && row.verdict === "pass") return `would ${row.would.verdict ?? row.would}`;
  return [row.by, row.reason].filter(Boolean).join(": ");
};

const Row = ({ row, before, picked, pick }) => html`
  ${(!before || day(before.time) !== day(row.time)) && html`<tr class="day"><th colspan="6" scope="rowgroup">${day(row.time)}</th></tr>`}
  <tr id=${`row-${row.id}`} class=${row.id === picked ? "picked" : ""} aria-selected=${row.id === picked ? "true" : undefined} onClick=${() => pick(row.id)}>
    <td class="time"><a href=${`/e/${encodeURIComponent(row.id)}`} onClick=${(event) => (event.preventDefault(), pick(row.id))}>${clock(row.time, true)}</a></td>
    <td><${Verdict} of=${row.verdict ?? "pass"} />${row.failed ? html` <${Verdict} of="failed" quiet />` : ""}${row.rewritten ? html` <${Verdict} of="rewrite" quiet />` : ""}</td>
    <td class="session">${plain(row.agent ?? "")} <code>${plain(short(row.session))}</code> <span class="soft">${plain(leaf(row.project))}</span></td>
    <td class="what"><${Said} text=${row.what ?? "not understood"} limit=${60} /></td>
    <td class="subject"><code><${Said} text=${row.subject ?? ""} limit=${400} /></code>${row.rewritten && html` <span class="soft">→</span> <code><${Said} text=${row.rewritten} limit=${400} /></code>`}</td>
    <td class="by"><${Said} text=${by(row)} limit=${200} /></td>
  </tr>
`;

export const List = ({ rows, more, earlier, picked, pick, tail }) => {
  const frame = useRef(null);
  const first = useRef(true);
  useLayoutEffect(() => {
    const chosen = picked && frame.current.querySelector(".picked");
    if (chosen) chosen.scrollIntoView({ block: "nearest" });
    else if (first.current || tail) frame.current.scrollTop = frame.current.scrollHeight;
    if (rows.length) first.current = false;
  }, [rows, picked]);
  return html`<div class="list" ref=${frame} tabindex="0" role="region" aria-label="events">
    ${more && html`<button class="small" type="button" onClick=${earlier}>earlier events</button>`}
    <table>
      <thead><tr><th scope="col">time</th><th scope="col">verdict</th><th scope="col">session</th><th scope="col">event</th><th scope="col">about</th><th scope="col">because</th></tr></thead>
      <tbody>${rows.map((row, at) => html`<${Row} key=${row.id} row=${row} before=${rows[at - 1]} picked=${picked} pick=${pick} />`)}</tbody>
    </table>
  </div>`;
};
