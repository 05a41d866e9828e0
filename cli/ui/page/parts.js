// The small things of which the screens are made.
import { html, useEffect, useRef, useState } from "./html.js";
import { tell } from "./state.js";
import { plain } from "./text.js";

/** Each meaning has a shape of its own, so that colour is never needed to tell them apart. */
const shapes = {
  deny: html`<path d="M6 1 11.5 11H.5z" />`,
  ask: html`<path d="M6 0 12 6 6 12 0 6z" />`,
  allow: html`<rect x="4.5" y="0" width="3" height="12" rx="1" />`,
  pass: html`<rect x="5.25" y="1" width="1.5" height="10" rx=".75" />`,
  rewrite: html`<rect x="1.5" y="1.5" width="9" height="9" rx="1" />`,
  inject: html`<rect x="1.5" y="1.5" width="9" height="9" rx="1" />`,
  failed: html`<circle cx="6" cy="6" r="4.25" fill="none" stroke="currentColor" stroke-width="2" />`,
  skipped: html`<circle cx="6" cy="6" r="1.6" />`,
  ok: html`<path d="m1.5 6.5 3 3 6-7" fill="none" stroke="currentColor" stroke-width="2" />`,
  note: html`<circle cx="6" cy="6" r="3" />`,
};

export const Shape = ({ of }) =>
  html`<svg class=${`shape ${of}`} viewBox="0 0 12 12" width="10" height="10" aria-hidden="true">${shapes[of] ?? shapes.pass}</svg>`;

export const Verdict = ({ of, quiet }) =>
  html`<span class=${`verdict ${of}`}><${Shape} of=${of} />${quiet ? html`<span class="sr">${of}</span>` : of}</span>`;

export const copy = async (text, what) => {
  try {
    await navigator.clipboard.writeText(text);
    tell(`copied ${what}`);
  } catch {
    tell("the browser does not let this page copy; select the text instead", "error");
  }
};

export const Copy = ({ text, what, label = "copy" }) =>
  html`<button class="small" type="button" title=${`copy ${what}`} onClick=${() => copy(text, what)}>${label}</button>`;

/** A command of a hint, with a button that copies it. */
export const Command = ({ text }) =>
  html`<span class="command"><code>${plain(text)}</code><${Copy} text=${text} what="the command" /></span>`;

/** Messages of Grapnel: `word` in backquotes becomes code, and lines stay lines. */
export const Words = ({ text }) =>
  String(text ?? "")
    .split("\n")
    .map((line, at) => html`${at > 0 && html`<br />`}${line.split("`").map((part, index) => (index % 2 ? html`<code>${plain(part)}</code>` : plain(part)))}`);

export const Problem = ({ error, again }) => html`
  <div class="problem" role="alert">
    <strong><${Words} text=${error.message} /></strong>
    ${error.hint && html`<p><${Words} text=${error.hint} /></p>`}
    ${again && html`<button type="button" onClick=${again}>try again</button>`}
  </div>
`;

export const Empty = ({ title, children }) => html`<div class="empty"><h2>${title}</h2>${children}</div>`;

export const Loading = () => html`<p class="loading" aria-busy="true">reading the journal…</p>`;

/**
 * Reads something, and again whenever `on` changes; what was there before stays until the new comes.
 * @returns {{data: any, error: Error?, loading: boolean, again: () => void}}
 */
export const useData = (read, on) => {
  const [state, set] = useState({ data: null, error: null, loading: true });
  const [turn, next] = useState(0);
  useEffect(() => {
    const aborted = new AbortController();
    set((old) => ({ ...old, loading: true }));
    read(aborted.signal).then(
      (data) => set({ data, error: null, loading: false }),
      (error) => error.name !== "AbortError" && set((old) => ({ ...old, error, loading: false })),
    );
    return () => aborted.abort();
  }, [...on, turn]);
  return { ...state, again: () => next((number) => number + 1) };
};

/** What a screen shows of `useData`. */
export const Shown = ({ of, children }) => {
  if (of.data) return html`${of.error && html`<${Problem} error=${of.error} again=${of.again} />`}${children(of.data)}`;
  return of.error ? html`<${Problem} error=${of.error} again=${of.again} />` : html`<${Loading} />`;
};

/** A row of choices, of which one is taken: [{value, label, title?}]. */
export const Choices = ({ label, value, of, pick }) => html`
  <div class="choices" role="group" aria-label=${label}>
    ${of.map(
      (choice) => html`<button
        type="button"
        key=${choice.value}
        title=${choice.title}
        aria-pressed=${choice.value === value ? "true" : "false"}
        onClick=${() => pick(choice.value)}
      >${choice.label}</button>`,
    )}
  </div>
`;

/** A tiny column chart, 24 numbers or so. */
export const Spark = ({ of, title }) => {
  const most = Math.max(1, ...of);
  return html`<svg class="spark" viewBox=${`0 0 ${of.length * 3} 16`} width=${of.length * 3} height="16" role="img" aria-label=${title}>
    <title>${title}</title>
    ${of.map((value, at) => {
      const height = value ? Math.max(1.5, (value / most) * 15) : 0.5;
      return html`<rect key=${at} class=${value ? "" : "none"} x=${at * 3} y=${16 - height} width="2" height=${height} />`;
    })}
  </svg>`;
};

/** A modal dialog of the browser: it keeps the focus inside, and Escape closes it. */
export const Modal = ({ title, close, children }) => {
  const box = useRef(null);
  useEffect(() => {
    const shown = box.current;
    const before = document.activeElement;
    shown.showModal();
    return () => {
      shown.close();
      before?.focus?.();
    };
  }, []);
  const outside = (event) => event.target === box.current && close();
  return html`<dialog ref=${box} aria-label=${title} onCancel=${(event) => (event.preventDefault(), close())} onClick=${outside}>
    <header><h2>${title}</h2><button class="small" type="button" aria-label="close" onClick=${close}>✕</button></header>
    <div class="body">${children}</div>
  </dialog>`;
};

/** A unified diff: signs and colour. */
export const Diff = ({ text }) => html`<pre class="diff" tabindex="0">${plain(text.replaceAll("\n", "\u0000"))
  .split("⟨U+0000⟩")
  .map((line, at) => {
    const kind = /^(\+\+\+|---|@@)/.test(line) ? "place" : line.startsWith("+") ? "plus" : line.startsWith("-") ? "minus" : "";
    return html`<span key=${at} class=${kind}>${line}\n</span>`;
  })}</pre>`;
