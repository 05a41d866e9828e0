// The keyboard. Screens say which keys they understand while they are shown; `?` lists them.
import { signal, useEffect, useRef } from "./html.js";
import { go, screens } from "./route.js";
import { dialog } from "./state.js";

/** The tables that are in force, the newest last: [{title, keys: {j: {does, run}}}]. */
const tables = [];
/** After `g`, until the letter. */
export const going = signal(false);
let forgotten;

const isTyping = (event) => {
  const [target] = event.composedPath();
  return target instanceof Element && (target.matches("input:not([type=checkbox], [type=radio]), textarea, select") || target.isContentEditable);
};

const isPressable = (event) => {
  const [target] = event.composedPath();
  return target instanceof Element && target.matches("button, a, input, summary, [role=button]");
};

const press = (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.key === "Escape" && isTyping(event)) return event.composedPath()[0].blur();
  if (isTyping(event)) return;
  if (going.value) {
    going.value = false;
    const screen = screens.find(({ letter }) => letter === event.key);
    if (screen) {
      event.preventDefault();
      return go(screen.path);
    }
  }
  if (dialog.value) {
    if (event.key === "Escape" || (event.key === "?" && dialog.value === "help")) dialog.value = "";
    return;
  }
  if ((event.key === "Enter" || event.key === " ") && isPressable(event)) return;
  if (event.key === "g") {
    going.value = true;
    clearTimeout(forgotten);
    forgotten = setTimeout(() => (going.value = false), 1500);
    return;
  }
  for (const { keys } of [...tables].reverse()) {
    const known = keys[event.key];
    if (!known) continue;
    event.preventDefault();
    return known.run(event);
  }
};
addEventListener("keydown", press);

/** While the component is shown: {key: [what it does, function]}. */
export const useKeys = (title, keys) => {
  const newest = useRef(keys);
  newest.current = keys;
  useEffect(() => {
    const table = { title, keys: {} };
    for (const [key, [does]] of Object.entries(keys)) {
      table.keys[key] = { does, run: (event) => newest.current[key]?.[1](event) };
    }
    tables.push(table);
    return () => tables.splice(tables.indexOf(table), 1);
  }, []);
};

export const allKeys = () =>
  tables.map(({ title, keys }) => ({ title, keys: Object.entries(keys).map(([key, { does }]) => ({ key, does })) }));
