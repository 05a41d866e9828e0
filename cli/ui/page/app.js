import { offline, post, refused, session } from "./api.js";
import { html, useEffect, useRef, useSignal, useSignalEffect } from "./html.js";
import { count } from "./format.js";
import { allKeys, going, useKeys } from "./keys.js";
import { Command, Modal, Words } from "./parts.js";
import { route, screens } from "./route.js";
import { Approvals } from "./screens/approvals.js";
import { Doctor } from "./screens/doctor.js";
import { Fleet } from "./screens/fleet.js";
import { Hooks } from "./screens/hooks.js";
import { Rules } from "./screens/rules.js";
import { Stats } from "./screens/stats.js";
import { Trust } from "./screens/trust.js";
import { EventPage } from "./event/event.js";
import { Timeline } from "./timeline/timeline.js";
import { about, dialog, flipTheme, link, mayWrite, shownTheme, theme, toast, unlocked, waiting } from "./state.js";

const shown = {
  timeline: Timeline,
  event: EventPage,
  rules: Rules,
  approvals: Approvals,
  hooks: Hooks,
  trust: Trust,
  stats: Stats,
  doctor: Doctor,
  fleet: Fleet,
};

/** The fleet has a tab if the program was started for it. */
const tabs = () => screens.filter(({ name }) => name !== "fleet" || session.value?.fleet);

const Tabs = () => {
  const row = useRef(null);
  const { screen } = route.value;
  // On a narrow screen the tab that is shown may lie outside.
  useEffect(() => row.current.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" }), [screen]);
  return html`<nav aria-label="screens" ref=${row}>
    ${tabs().map(({ name, path, title, letter }) => {
      const here = screen === name || (name === "timeline" && screen === "event");
      const asks = name === "approvals" ? waiting.value.length : 0;
      return html`<a key=${name} href=${path} title=${`g ${letter}`} aria-current=${here ? "page" : undefined}>
        ${title}${asks > 0 && html`<span class="badge" aria-label=${`${asks} waiting`}>${asks}</span>`}
      </a>`;
    })}
  </nav>`;
};

const Link = () => {
  const words = { connecting: "connecting…", live: "following", lost: "reconnecting…" };
  return html`<span class=${`link ${link.value}`} role="status" title="whether new events arrive here">${words[link.value]}</span>`;
};

const Lock = () => {
  const { read_only, read_only_because, can_unlock } = session.value ?? {};
  if (read_only) return html`<span class="lock" title=${read_only_because ?? "started with --read-only"}>read only</span>`;
  if (mayWrite.value) return html`<span class="lock open" title="this page may answer, trust and save">unlocked</span>`;
  if (can_unlock === false) return html`<span class="lock" title="grapnel ui has no terminal to show a code on">locked</span>`;
  return html`<button class="small" type="button" onClick=${() => (dialog.value = "unlock")}>unlock…</button>`;
};

/** What is wrong with the journal is never quiet. */
const Journal = () => {
  const journal = about.value?.journal;
  if (!journal) return null;
  const { import: reading, lost, bad_lines, chain } = journal;
  return html`
    ${reading &&
    html`<span class="reading">reading records
      <progress max=${reading.total_bytes || 1} value=${reading.done_bytes}></progress></span>`}
    ${lost > 0 && html`<a class="warn" href="/d" title="records that could not be written">lost ${count(lost)}</a>`}
    ${bad_lines > 0 && html`<a class="warn" href="/d" title="lines that are no records">${count(bad_lines)} bad lines</a>`}
    ${chain === "broken" && html`<a class="warn" href="/d">chain broken</a>`}
  `;
};

const Header = () => html`
  <header class="top">
    <a class="name" href="/t" aria-label="grapnel, timeline">
      <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
        <path d="M12 3v16M12 19c-5 0-8-3-8-8l3 2M12 19c5 0 8-3 8-8l-3 2" fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round" />
        <circle cx="12" cy="3.4" r="1.9" fill="none" stroke="currentColor" stroke-width="1.8" />
      </svg>
      <span>grapnel</span>
    </a>
    <${Tabs} />
    <div class="state">
      <${Journal} />
      <${Link} />
      <${Lock} />
      <button class="small icon" type="button" title="light or dark" aria-label=${`switch to ${shownTheme() === "dark" ? "light" : "dark"}`} onClick=${flipTheme}>
        ${shownTheme() === "dark" ? "☀" : "☾"}
      </button>
      <button class="small icon" type="button" title="keys (?)" aria-label="keys" onClick=${() => (dialog.value = "help")}>?</button>
    </div>
  </header>
`;

const filterKeys = ["verdict", "tool", "event", "agent", "session", "project", "hook", "would", "id"];

const Help = () => {
  const tables = allKeys();
  const screenKeys = tabs().map(({ letter, title }) => ({ key: `g ${letter}`, does: title }));
  return html`<${Modal} title="Keys" close=${() => (dialog.value = "")}>
    <div class="keys">
      ${[{ title: "screens", keys: screenKeys }, ...tables].map(
        ({ title, keys }) => html`<section key=${title}>
          <h3>${title}</h3>
          <dl>${keys.map(({ key, does }) => html`<div key=${key}><dt><kbd>${key === " " ? "space" : key}</kbd></dt><dd>${does}</dd></div>`)}</dl>
        </section>`,
      )}
      <section class="filters">
        <h3>filter</h3>
        <p>Words are parts of the command, the file or the prompt. <code>key:value</code> compares a field, <code>-key:value</code> excludes. Keys
          are ${filterKeys.map((key, at) => html`${at > 0 && ", "}<code key=${key}>${key}</code>`)}. For example <code>verdict:deny -agent:codex "git push"</code>.</p>
      </section>
    </div>
  <//>`;
};

const Unlock = () => {
  const code = useSignal("");
  const failed = useSignal("");
  const { read_only, read_only_because, can_unlock } = session.value ?? {};
  const close = () => (dialog.value = "");
  const send = async (event) => {
    event.preventDefault();
    try {
      await post("/api/unlock", { code: code.value.trim() });
      unlocked();
    } catch (error) {
      failed.value = [error.message, error.hint].filter(Boolean).join(". ");
      code.value = "";
    }
  };
  const type = (event) => {
    code.value = event.target.value;
    failed.value = "";
  };
  if (read_only || can_unlock === false) {
    return html`<${Modal} title="This page only reads" close=${close}>
      <p>${read_only_because ?? "grapnel ui has no terminal on which it could show the code"}. Start it in a terminal of yours to answer, trust and save here:</p>
      <p><${Command} text="grapnel ui" /></p>
    <//>`;
  }
  return html`<${Modal} title="Unlock" close=${close}>
    <p>Answering, trusting and saving need a person. Agents run as the same user as you, but they cannot read your terminal:
      type the code that <code>grapnel ui</code> shows there.</p>
    <form onSubmit=${send}>
      <label>code <input class="code" autofocus autocomplete="off" spellcheck=${false} value=${code.value} onInput=${type} aria-invalid=${failed.value ? "true" : undefined} aria-describedby="unlock-failed" /></label>
      <button class="main" type="submit" disabled=${!code.value.trim()}>unlock</button>
    </form>
    <p id="unlock-failed" class="failed" role="alert"><${Words} text=${failed.value} /></p>
  <//>`;
};

const Outside = () => {
  const words = {
    none: ["This address needs a ticket", "Start grapnel ui again; it opens this page with a ticket that works once."],
    spent: ["This ticket was used, or it is too old", "A ticket works once and for five minutes. grapnel ui gives you a new one."],
    over: ["This tab's key is no longer valid", "grapnel ui was started again since. It opens a page with a new key."],
  };
  const [title, hint] = words[refused.value] ?? words.over;
  return html`<main class="outside"><div class="empty"><h1>${title}</h1><p>${hint}</p><p><${Command} text="grapnel ui" /></p></div></main>`;
};

const drawIcon = (asks, dark) => {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 32;
  const ink = canvas.getContext("2d");
  ink.strokeStyle = dark ? "#e8e6e1" : "#22262b";
  ink.lineWidth = 3.4;
  ink.lineCap = "round";
  ink.stroke(new Path2D("M16 4v22M16 26c-7 0-11-4-11-11l4 3M16 26c7 0 11-4 11-11l-4 3"));
  if (asks > 0) {
    ink.fillStyle = "#d97706";
    ink.beginPath();
    ink.moveTo(22, 0);
    ink.lineTo(32, 10);
    ink.lineTo(22, 20);
    ink.lineTo(12, 10);
    ink.fill();
    ink.fillStyle = "#fff";
    ink.font = "bold 13px sans-serif";
    ink.textAlign = "center";
    ink.fillText(asks > 9 ? "+" : String(asks), 22, 14.5);
  }
  return canvas.toDataURL();
};

/** The tab says how many asks wait, wherever the person is. */
const useTitle = () => {
  useSignalEffect(() => {
    const asks = waiting.value.length;
    const name = screens.find(({ name: known }) => known === route.value.screen)?.title ?? "Event";
    document.title = `${asks ? `(${asks}) ` : ""}${name} · grapnel`;
    document.querySelector("link[rel=icon]").href = drawIcon(asks, shownTheme() === "dark");
  });
};

export const App = () => {
  useTitle();
  useSignalEffect(() => {
    document.documentElement.dataset.theme = theme.value;
  });
  useKeys("everywhere", {
    "?": ["these keys", () => (dialog.value = "help")],
    Escape: ["close, or leave a field", () => {}],
  });
  useEffect(() => {
    document.getElementById("screen")?.focus({ preventScroll: true });
  }, [route.value.screen]);
  const Screen = shown[route.value.screen];
  return html`
    <a class="skip" href="#screen">to the content</a>
    <${Header} />
    ${offline.value && html`<div class="offline" role="alert">grapnel ui does not answer: it has ended, or its terminal was closed. What you see is what came before. <${Command} text="grapnel ui" /></div>`}
    ${refused.value
      ? html`<${Outside} />`
      : html`<main id="screen" tabindex="-1" class=${route.value.screen}>
          ${session.value && (Screen ? html`<${Screen} />` : html`<div class="empty"><h1>Nothing is here</h1><p><a href="/t">To the timeline</a></p></div>`)}
        </main>`}
    ${dialog.value === "help" && html`<${Help} />`}
    ${dialog.value === "unlock" && html`<${Unlock} />`}
    ${going.value && html`<div class="going" role="status">g… ${tabs().map(({ letter, title }) => html`<span key=${letter}><kbd>${letter}</kbd> ${title}</span>`)}</div>`}
    <div class="toasts" role="status" aria-live="polite">${toast.value && html`<div class=${`toast ${toast.value.kind}`}>${toast.value.text}</div>`}</div>
  `;
};
