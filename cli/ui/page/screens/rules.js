// Try a rule on what happened: the engine itself replays the last events with it.
import { post } from "../api.js";
import { ago, count, plural, short } from "../format.js";
import { html, useEffect, useRef, useState } from "../html.js";
import { useKeys } from "../keys.js";
import { Command, Problem, Verdict, Words } from "../parts.js";
import { change, route } from "../route.js";
import { kFirstRule, without } from "../rule_text.js";
import { about, mayWrite, tell, whenUnlocked } from "../state.js";
import { Path, Said } from "../text.js";
import { FilterBox } from "../timeline/filter.js";

const kDraft = "grapnel-draft";
const kLimit = 10_000;
/** What a rule that was made of an event has for a reason. */
const kToBeWritten = "Say here what to do instead.";
const strictness = ["pass", "allow", "ask", "deny"];
const verdicts = ["deny", "ask", "allow"];
const spoken = (reply) => verdicts.filter((of) => reply.would?.[of]);

const Editor = ({ text, set, problems }) => {
  const host = useRef(null);
  const editor = useRef(null);
  const [failed, setFailed] = useState(false);
  // The rule of an event may arrive before the editor is there.
  const latest = useRef();
  latest.current = { text, problems };
  useEffect(() => {
    let ended = false;
    import("../editor.js").then(
      ({ mount }) => {
        if (ended) return;
        editor.current = mount(host.current, { text: latest.current.text, label: "rules, in YAML", changed: set });
        editor.current.mark(latest.current.problems);
      },
      () => setFailed(true),
    );
    return () => {
      ended = true;
      editor.current?.end();
    };
  }, []);
  useEffect(() => editor.current?.set(text), [text]);
  useEffect(() => editor.current?.mark(problems), [problems]);
  if (failed) return html`<textarea class="editor" aria-label="rules, in YAML" spellcheck=${false} value=${text} onInput=${(event) => set(event.target.value)}></textarea>`;
  return html`<div class="editor" ref=${host}></div>`;
};

const Problems = ({ list }) => html`<ul class="problems">
  ${list.map((problem, at) => html`<li key=${at} class=${problem.severity}>
    <span class="soft">${problem.at?.line ? `line ${problem.at.line}` : ""}</span> <b>${problem.severity}</b> <${Words} text=${problem.message} />
    ${problem.hint && html` <span class="soft"><${Words} text=${problem.hint} /></span>`}
  </li>`)}
</ul>`;

/** What becomes of those about which the rule says something: "39 pass → deny", "3 as they were". The strictest verdict
 * wins, so a rule that is milder than what happened changes nothing. */
const Changes = ({ matrix }) => {
  const moves = Object.entries(matrix ?? {}).map(([key, number]) => ({ key, number, was: key.split(">")[0], would: key.split(">")[1] }));
  const isStricter = ({ was, would }) => strictness.indexOf(would) > strictness.indexOf(was);
  const changed = moves.filter(isStricter).sort((a, b) => b.number - a.number);
  const same = moves.filter((move) => !isStricter(move)).reduce((sum, { number }) => sum + number, 0);
  return html`<ul class="moves">
    ${changed.map(({ key, number, was, would }) => html`<li key=${key}><b>${count(number)}</b> <${Verdict} of=${was} /> → <${Verdict} of=${would} /></li>`)}
    ${same > 0 && html`<li key="same" class="soft"><b>${count(same)}</b> as they were</li>`}
  </ul>`;
};

const Summary = ({ reply }) => html`
  <div class="summary" role="status" data-changed=${reply.changed}>
    <p class="big">${spoken(reply).length ? spoken(reply).map((of, at) => html`${at ? " · " : "would "}<${Verdict} of=${of} /> <b class="number-of" data-of=${of}>${count(reply.would[of])}</b>`) : "would say nothing about any of them"}</p>
    ${(reply.rewrites > 0 || reply.injects > 0) && html`<p>${[reply.rewrites && plural(reply.rewrites, "rewrite"), reply.injects && `context ${plural(reply.injects, "time")}`].filter(Boolean).join(", ")}</p>`}
    <p class="soft">${plural(reply.replayed, "event")} replayed${reply.cannot ? html`; ${count(reply.cannot)} cannot be replayed: too little of them is on record` : ""}; ${reply.changed ? html`<b>${count(reply.changed)}</b> would change` : "none would change"}</p>
    ${reply.left_out?.length > 0 && html`<p class="soft">Not tried, because they start a program: ${reply.left_out.map((name, at) => html`${at ? ", " : ""}<${Said} text=${name} />`)}</p>`}
    <${Changes} matrix=${reply.matrix} />
  </div>
`;

const Rows = ({ reply, narrow }) => html`
  <div class="scroll"><table class="rows">
    <thead><tr><th scope="col">was</th><th scope="col">would</th><th scope="col">session</th><th scope="col">about</th><th scope="col">since</th><th scope="col"><span class="sr">narrow</span></th></tr></thead>
    <tbody>${reply.rows.map((row) => html`<tr key=${row.id} class=${row.changed === false ? "same" : ""}>
      <td><${Verdict} of=${row.was} /></td>
      <td><${Verdict} of=${row.would} /></td>
      <td><code>${short(row.session)}</code></td>
      <td class="subject"><a href=${`/e/${encodeURIComponent(row.id)}`}><code><${Said} text=${row.command ?? ""} limit=${300} /></code></a></td>
      <td class="soft">${ago(row.time)}</td>
      <td><button class="small" type="button" title="narrow the rule, so that it does not apply to this one" onClick=${() => narrow(row)}>not this one</button></td>
    </tr>`)}</tbody>
  </table></div>
  ${reply.rows.length < reply.changed && html`<p class="soft">The newest ${plural(reply.rows.length, "change")} of ${count(reply.changed)}.</p>`}
`;

/** The tests of `grapnel test` that would fail with this rule. */
const SavedTests = ({ reply }) => {
  if (!reply) return null;
  if (reply.tried + reply.cannot === 0) return html`<p class="soft saved-tests">No saved tests here to try it on. Save the rule with tests, and later rules are tried on them.</p>`;
  const { tried, cannot, changed, changed_count } = reply;
  const left = cannot > 0 && html`<span class="soft">; ${count(cannot)} cannot be tried</span>`;
  if (!changed_count) return html`<p class="saved-tests">${tried === 1 ? "The saved test still holds" : `All ${count(tried)} saved tests still hold`}${left}</p>`;
  return html`<div class="saved-tests regressions" role="alert"><h3>${count(changed_count)} of ${plural(tried, "saved test")} would fail${left}</h3>
    <ul>${changed.map(({ file, line, case: name, step, expected, got, by }, at) => html`<li key=${at}>
      <${Said} text=${name} limit=${200} />${step && html`, <${Said} text=${step} limit=${200} />`}: expects <${Verdict} of=${expected} />, would be <${Verdict} of=${got} />${by && html` <span class="soft">by <${Said} text=${by} limit=${80} /></span>`}
      <div class="soft"><code><${Path} text=${file} />:${line}</code></div></li>`)}</ul>
    ${changed.length < changed_count && html`<p class="soft">The first ${count(changed.length)} of them.</p>`}</div>`;
};

const Save = ({ yaml, reply, ready }) => {
  const [tests, setTests] = useState(true);
  const [done, setDone] = useState(null);
  const [error, setError] = useState(null);
  const save = (scope) =>
    whenUnlocked(async () => {
      try {
        const ids = (reply?.rows ?? []).slice(0, 20).map(({ id }) => id);
        setDone(await post("/api/rules/save", { yaml, scope, tests, ids: tests ? ids : [] }));
        setError(null);
        tell("saved");
      } catch (failed) {
        setError(failed);
      }
    });
  return html`<div class="save">
    <button class="main" type="button" disabled=${!ready} onClick=${() => save("user")}>save for me</button>
    <button type="button" disabled=${!ready} onClick=${() => save("project")}>save for the project</button>
    <label><input type="checkbox" checked=${tests} onChange=${(event) => setTests(event.target.checked)} /> with tests from these events</label>
    ${!mayWrite.value && html`<span class="soft">asks for the code on your terminal first</span>`}
    ${yaml.includes(kToBeWritten) && html`<p class="soft">“${kToBeWritten}” is what the model would read: write it before you save.</p>`}
    ${error && html`<${Problem} error=${error} />`}
    ${done && html`<p role="status">Written: <code>${done.file}</code>${done.tests_file && html` and <code>${done.tests_file}</code>`}.
      ${done.file.includes("/.agents/") ? html` A project's rules run after you trusted them: <a href="/trust">trust</a>.` : " It holds from the next event on."}</p>`}
  </div>`;
};

/** What the server says about the rule, asked again when the rule has been left alone for a moment. */
const useTrial = (path, body, ok, ...on) => {
  const [state, set] = useState({ reply: null, error: null, busy: false });
  useEffect(() => {
    if (!ok) return;
    const aborted = new AbortController();
    const soon = setTimeout(() => {
      set((old) => ({ ...old, busy: true }));
      post(path, body, aborted.signal).then(
        (reply) => set({ reply, error: null, busy: false }),
        (error) => error.name !== "AbortError" && set((old) => ({ ...old, error, busy: false })),
      );
    }, 250);
    return () => {
      clearTimeout(soon);
      aborted.abort();
    };
  }, [...on, ok]);
  return state;
};

const useCheck = (yaml) => {
  const [state, set] = useState({ yaml: null, problems: [], error: null });
  useEffect(() => {
    const aborted = new AbortController();
    const soon = setTimeout(() => {
      post("/api/rules/check", { yaml }, aborted.signal).then(
        (reply) => set({ yaml, problems: reply.problems ?? [], rules: reply.rules ?? [], error: null }),
        (error) => error.name !== "AbortError" && set((old) => ({ ...old, error })),
      );
    }, 120);
    return () => {
      clearTimeout(soon);
      aborted.abort();
    };
  }, [yaml]);
  return state;
};

export const Rules = () => {
  const { params } = route.value;
  const event = params.get("event");
  const q = params.get("q") ?? "";
  const [yaml, setYaml] = useState(() => sessionStorage.getItem(kDraft) ?? kFirstRule);
  const [error, setError] = useState(null);
  const set = (text) => {
    setYaml(text);
    sessionStorage.setItem(kDraft, text);
  };
  useEffect(() => {
    if (!event) return;
    post("/api/rules/from", { id: event }).then((reply) => (set(reply.yaml), setError(null)), setError);
  }, [event]);
  const check = useCheck(yaml);
  const faulty = check.problems.some(({ severity }) => severity === "error");
  const ready = check.yaml === yaml && !faulty;
  const { reply, error: replayError, busy } = useTrial("/api/rules/replay", { yaml, limit: kLimit, ...(q ? { q } : {}) }, ready, yaml, q);
  const tests = useTrial("/api/rules/tests", { yaml }, ready, yaml);
  const narrow = (row) => {
    const next = without(yaml, row.command ?? "");
    if (next) set(next);
    else tell("this rule has no condition that the page could narrow; edit it by hand", "error");
  };
  useKeys("rules", { "/": ["filter", () => document.getElementById("rules-filter")?.focus()] });
  return html`<div class="playground">
    <section class="write" aria-label="rule">
      <div class="row"><h1>Rules</h1>
        ${event && html`<span class="soft">from <a href=${`/e/${encodeURIComponent(event)}`}>this event</a></span>`}
        <span class="gap"></span>
        <button class="small" type="button" onClick=${() => (change({ event: null }), set(kFirstRule))}>start again</button></div>
      ${error && html`<${Problem} error=${error} />`}
      <${Editor} text=${yaml} set=${set} problems=${check.problems} />
      <div class="checked" role="status">${check.error ? html`<${Problem} error=${check.error} />` : check.yaml === null ? "" : check.problems.length ? html`<${Problems} list=${check.problems} />` : html`<p class="soft">No problems: ${plural(check.rules.length, "rule")}.</p>`}</div>
      <${Save} yaml=${yaml} reply=${reply} ready=${ready} />
      <p class="soft">What a rule may say: <code>on</code>, <code>when</code> and one of <code>deny</code>, <code>ask</code>, <code>allow</code>, <code>context</code>, <code>run</code>. Nothing is saved before you press a button.</p>
    </section>
    <section class=${`replay${busy ? " busy" : ""}`} aria-label="what would have changed" aria-busy=${busy ? "true" : "false"}>
      <div class="row"><h2>The last ${count(kLimit)} events with this rule</h2></div>
      <${FilterBox} id="rules-filter" q=${q} set=${(text) => change({ q: text })} />
      ${replayError && html`<${Problem} error=${replayError} />`}
      ${faulty && html`<p class="soft">The rule has a mistake. Below is what the last good one would have done.</p>`}
      ${reply && html`${reply.replayed > 0 && html`<${Summary} reply=${reply} />`}${tests.error ? html`<${Problem} error=${tests.error} />` : html`<${SavedTests} reply=${tests.reply} />`}
        ${reply.rows?.length > 0 && html`<${Rows} reply=${reply} narrow=${narrow} />`}
        ${reply.replayed === 0 && html`<div class="empty"><h2>Nothing to replay</h2>
          ${about.value?.journal?.events ? html`<p>Only events whose payload is on record can be replayed${q ? ", and none of them matches the filter" : ""}. From now on, keep it, masked:</p><p><${Command} text="export GRAPNEL_PAYLOADS=full" /></p>` : html`<p>No events yet: an agent has to call Grapnel first.</p><p><${Command} text="grapnel install claude" /></p>`}</div>`}`}
    </section>
  </div>`;
};
