import { html, useEffect, useRef, useState } from "../html.js";

/** The text of the filter. It is applied when the typing rests; Enter applies it at once. */
export const FilterBox = ({ q, set, id = "filter" }) => {
  const [text, setText] = useState(q);
  const timer = useRef(0);
  const typed = useRef(false);
  useEffect(() => {
    if (!typed.current) setText(q);
    typed.current = false;
  }, [q]);
  const apply = (value) => {
    clearTimeout(timer.current);
    typed.current = value !== q;
    set(value);
  };
  const type = (event) => {
    const { value } = event.target;
    setText(value);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => apply(value.trim()), 300);
  };
  const press = (event) => {
    if (event.key === "Enter") apply(text.trim());
  };
  return html`<div class="filter" role="search">
    <input id=${id} type="search" aria-label="filter" placeholder="filter: verdict:deny tool:Bash -agent:codex npm" spellcheck=${false} autocomplete="off"
      value=${text} onInput=${type} onKeyDown=${press} />
    <kbd aria-hidden="true">/</kbd>
  </div>`;
};
