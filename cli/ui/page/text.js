// Text of records comes from agents, and so from anybody. It is only ever a text node, and characters that cannot be seen
// or that reorder others are spelled out: ⟨U+202E⟩.
import { html } from "./html.js";

// Controls, formats (bidi, zero width, tags), lone surrogates, unassigned and private ones, separators, and letters that
// fonts draw as nothing.
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\u{e0100}-\u{e01ef}]/u;
const each = new RegExp(unseen.source, "gu");

const spelled = (character) => `⟨U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`;

/** @returns {string} the text with tokens in it, for places that take only strings: titles, the canvas, the clipboard. */
export const plain = (text) => String(text ?? "").replace(each, spelled);

/** How much of a text is shown at first: a browser needs seconds for a line of a megabyte. */
const kShown = 4000;

const tokens = (text, lines) => {
  const parts = [];
  let from = 0;
  for (const match of text.matchAll(each)) {
    if (lines && (match[0] === "\n" || match[0] === "\t")) continue;
    if (match.index > from) parts.push(text.slice(from, match.index));
    parts.push(html`<span class="unseen" title="an invisible character">${spelled(match[0])}</span>`);
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
};

const cut = (text, length) => {
  // Not in the middle of a surrogate pair.
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length);
};

/** A path, which breaks at its slashes. */
export const Path = ({ text }) =>
  html`<bdi class="path">${String(text ?? "").slice(0, kShown).split("/").map((part, at) => html`${at > 0 && html`/<wbr />`}${tokens(part, false)}`)}</bdi>`;

/** Text of a record, in one line unless `lines` is set. */
export const Said = ({ text, lines = false, limit = kShown }) => {
  const whole = String(text ?? "");
  const short = whole.length > limit ? cut(whole, limit) : whole;
  return html`<bdi class=${lines ? "said lines" : "said"}
    >${tokens(short, lines)}${short.length < whole.length &&
    html`<span class="more" title="the rest is in the record">… ${(whole.length - short.length).toLocaleString("en")} more characters</span>`}</bdi
  >`;
};
