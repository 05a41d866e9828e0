// The editor of rules. It lives in a shadow root: there CodeMirror adopts its style sheets, which the page's policy allows;
// elsewhere it would add style elements, which the policy forbids. Loaded only by the screen that needs it.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

// The colours are variables of the page, which reach into shadow roots.
const look = EditorView.theme({
  "&": { height: "100%", fontSize: "12.5px", color: "var(--ink)", backgroundColor: "var(--panel)" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--ink)", padding: "8px 0" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--soft)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--stripe)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--pick)" },
  ".cm-specialChar": { color: "var(--deny)" },
  ".cm-tooltip": { backgroundColor: "var(--panel)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "6px" },
  ".cm-diagnostic": { fontFamily: "var(--sans)", fontSize: "12px", borderLeft: "none", padding: "4px 8px" },
});

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--rewrite)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--allow)" },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: "var(--failed)" },
  { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
  { tag: [tags.separator, tags.punctuation, tags.squareBracket, tags.brace], color: "var(--soft)" },
]);

/** @param {HTMLElement} host @param {{text: string, label: string, changed: (text: string) => void}} options */
export const mount = (host, { text, label, changed }) => {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(), lintGutter(), history(), drawSelection(), EditorView.lineWrapping, highlightSpecialChars(), highlightActiveLine(), bracketMatching(), indentOnInput(),
        indentUnit.of("  "), yaml(), syntaxHighlighting(colours), look, keymap.of([...defaultKeymap, ...historyKeymap]),
        EditorView.contentAttributes.of({ "aria-label": label }),
        EditorView.updateListener.of((update) => update.docChanged && changed(update.state.doc.toString())),
      ],
    }),
  });
  const place = ({ line = 1, column = 1 } = {}) => {
    const at = view.state.doc.line(Math.min(Math.max(1, line), view.state.doc.lines));
    return { from: Math.min(at.to, at.from + Math.max(0, column - 1)), to: at.to };
  };
  return {
    set(next) {
      if (next !== view.state.doc.toString()) view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } });
    },
    /** Underlines the problems of `grapnel check`. */
    mark(problems) {
      const found = problems.map(({ severity, message, hint, at }) => ({
        ...place(at ?? {}),
        severity: severity === "error" ? "error" : "warning",
        message: [message, hint].filter(Boolean).join("\n"),
      }));
      view.dispatch(setDiagnostics(view.state, found));
    },
    focus: () => view.focus(),
    end: () => view.destroy(),
  };
};
