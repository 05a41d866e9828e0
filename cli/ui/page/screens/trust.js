import { get, post } from "../api.js";
import { plural } from "../format.js";
import { html, useState } from "../html.js";
import { Diff, Empty, Problem, Shape, Shown, useData } from "../parts.js";
import { mayWrite, tell, whenUnlocked } from "../state.js";
import { Said } from "../text.js";

const place = (source) => (typeof source === "string" ? source : [source?.file, source?.line].filter(Boolean).join(":"));
const bare = (digest) => String(digest ?? "").replace(/^sha256:/, "");

const words = {
  new: "new: it does not run before you trust it",
  changed: "changed since you trusted it: it does not run until you trust it again",
  trusted: "trusted",
};

const Give = ({ hook, done }) => {
  const [typed, setTyped] = useState("");
  const [error, setError] = useState(null);
  const start = bare(hook.digest).slice(0, 4);
  const give = (event) => {
    event.preventDefault();
    whenUnlocked(async () => {
      try {
        await post("/api/trust", { name: hook.name, project: hook.project, source: hook.source, digest: hook.digest, typed });
        tell("trusted");
        done();
      } catch (failed) {
        setError(failed);
      }
    });
  };
  return html`<form class="give" onSubmit=${give}>
    <label>To trust exactly this, type <code>${start}</code>, the first four of its digest:
      <input class="code" maxlength="4" size="4" autocomplete="off" spellcheck=${false} value=${typed} onInput=${(event) => setTyped(event.target.value)} /></label>
    <button class="main" type="submit" disabled=${typed.toLowerCase() !== start.toLowerCase()}>trust</button>
    ${!mayWrite.value && html`<span class="soft">asks for the code on your terminal first</span>`}
    ${error && html`<${Problem} error=${error} />`}
  </form>`;
};

const Item = ({ hook, again }) => html`<details class=${`trust-item ${hook.state}`} open=${hook.state !== "trusted"}>
  <summary><${Shape} of=${hook.state === "trusted" ? "ok" : hook.state === "changed" ? "ask" : "note"} /><b><${Said} text=${hook.name} limit=${120} /></b>
    <span class="soft"><${Said} text=${place(hook.source)} limit=${200} /></span><span class=${`state-word ${hook.state}`}>${hook.state}</span></summary>
  <div class="inside">
    <p>${words[hook.state]} <span class="soft">digest <code class="id">${bare(hook.digest)}</code></span></p>
    ${hook.definition_diff
      ? html`<h3>definition</h3><${Diff} text=${hook.definition_diff} />`
      : hook.state === "new" && hook.definition && html`<h3>definition</h3><pre class="diff" tabindex="0"><span><${Said} text=${JSON.stringify(hook.definition, null, 2)} lines /></span></pre>`}
    ${hook.command && hook.state !== "trusted" && html`<h3>runs</h3><p><code><${Said} text=${hook.command} lines /></code></p>`}
    ${(hook.files ?? []).map((file) => html`<h3 key=${file.path}><code><${Said} text=${file.path} /></code></h3>${file.diff ? html`<${Diff} text=${file.diff} />` : html`<p class="soft">${hook.state === "new" ? "trusted with it; read it first" : "as it was"}</p>`}`)}
    ${hook.not_covered?.length > 0 && html`<h3>not covered</h3><p class="soft">These may change without a question:</p><ul>${hook.not_covered.map((item, at) => html`<li key=${at}><${Said} text=${item} /></li>`)}</ul>`}
    ${hook.state !== "trusted" && html`<${Give} hook=${hook} done=${again} />`}
  </div>
</details>`;

/** "1 of 3 hooks needs you". */
const needing = (hooks) => {
  const open = hooks.filter(({ state }) => state !== "trusted").length;
  return `${open || "none"} of ${plural(hooks.length, "hook")} ${open > 1 ? "need" : "needs"} you`;
};

export const Trust = () => {
  const shown = useData((signal) => get("/api/trust", {}, signal), []);
  const order = { changed: 0, new: 1, trusted: 2 };
  return html`<div class="column">
    <div class="row"><h1>Trust</h1>${shown.data?.hooks.length > 0 && html`<span class="soft">${needing(shown.data.hooks)}</span>`}</div>
    <${Shown} of=${shown}>${(data) =>
      data.hooks.length
        ? html`<p class="soft">A project's hooks come with its repository, so with whoever wrote it. They run only as you have seen them.</p>
            ${[...data.hooks].sort((a, b) => order[a.state] - order[b.state]).map((hook) => html`<${Item} key=${`${hook.name} ${place(hook.source)} ${hook.digest}`} hook=${hook} again=${shown.again} />`)}`
        : html`<${Empty} title="Nothing to trust"><p>No project that Grapnel knows has hooks of its own. Hooks in your home need no trust: they are yours.</p><p>Start <code>grapnel ui</code> in a project to see that project's hooks.</p><//>`}<//>
  </div>`;
};
