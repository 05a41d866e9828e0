// One lane for each session: its name in HTML, its marks on a canvas that is as large as the window and not as the list.
import { count, leaf, moment, plural, short } from "../format.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "../html.js";
import { Shape, Verdict } from "../parts.js";
import { shownTheme, theme } from "../state.js";
import { Said, plain } from "../text.js";
import { draw, hit, kAxis, look, palette, viewOf } from "./draw.js";
import { rowsOf } from "./rows.js";
import { zoom } from "./scale.js";

const kNarrow = 720;
/** What the names of lanes take of the width; the style sheet says how much, because it depends on the size of the text. */
const gutterOf = (width) => (width < kNarrow ? 6 : parseInt(getComputedStyle(document.documentElement).getPropertyValue("--gutter"), 10));

const nameOf = ({ type, id }) => [type || "subagent", short(id)].filter(Boolean).join(" ");
const subagents = (lane) => (lane.subagents ?? []).map((sub) => plain(`└ ${nameOf(sub)}: ${sub.events} events`)).join("\n") || undefined;

const Gutter = ({ lane, narrow, folded, filter }) => {
  if (lane.owner) {
    return html`<div class="gutter sub" style=${{ paddingLeft: `${(narrow ? 10 : 22) + lane.depth * 14}px` }} title=${plain(`${lane.type ?? ""} ${lane.id}`)}>
      <span class="who">└ <b><${Said} text=${lane.type || "subagent"} limit=${40} /></b> <code>${plain(short(lane.id))}</code></span>
      <span class="numbers"><span class="soft">${count(lane.shown)} ev</span></span>
    </div>`;
  }
  const numbers = [["deny", lane.deny], ["ask", lane.ask], ["failed", lane.failed]].filter(([, number]) => number > 0);
  const title = plain(`${lane.agent ?? ""} ${lane.session}\n${lane.project ?? ""}`);
  return html`<button class="gutter" type="button" title=${title} onClick=${() => filter(lane.session)}
      aria-label=${plain(`only session ${lane.session} of ${lane.agent}: ${lane.events} events, ${lane.deny ?? 0} denied, ${lane.ask ?? 0} asked, ${lane.failed ?? 0} failed`)}>
    <span class="who"><b><${Said} text=${lane.agent ?? "?"} limit=${20} /></b> <code>${plain(short(lane.session))}</code> <span class="soft"><${Said} text=${leaf(lane.project)} limit=${40} /></span></span>
    <span class="numbers">
      <span class="soft" title=${subagents(lane)}>${lane.turns ? `${plural(lane.turns, "turn")} · ` : ""}${count(lane.events)} ev${folded && lane.subagents?.length ? ` · ${lane.subagents.length} sub` : ""}</span>
      ${numbers.map(([of, number]) => html`<span key=${of} class=${`number ${of}`}><${Shape} of=${of} />${count(number)}</span>`)}
    </span>
  </button>`;
};

const words = { rewrite: "rewritten", inject: "context added", failed: "hook failed or timed out", tool: "tool ran" };

const Tip = ({ over, width }) => {
  const { mark, lane, x, y } = over;
  const place = x > width - 320 ? { right: `${width - x + 14}px` } : { left: `${x + 14}px` };
  return html`<div class="tip" style=${{ ...place, top: `${y + 14}px` }} role="presentation">
    <div><${Verdict} of=${look(mark)} /> ${mark.n > 1 && html`<b>${mark.strictest < mark.n ? `${count(mark.strictest)} of ${count(mark.n)} events` : `${count(mark.n)} events`}</b>`} <span class="soft">${words[mark.kind] ?? ""}</span></div>
    ${mark.label && html`<div class="subject"><${Said} text=${mark.label} limit=${300} /></div>`}
    <div class="soft">${moment(mark.t)} · ${plain(lane.agent)} ${plain(short(lane.session))}</div>
    ${mark.n > 1 && html`<div class="soft">double click: zoom in</div>`}
  </div>`;
};

/** Keeps what must be read from handlers that live as long as the component. */
const useLatest = (value) => {
  const kept = useRef(value);
  kept.current = value;
  return kept;
};

export const Lanes = ({ lanes, folded, window, picked, newest, move, pick, filter, onWidth }) => {
  const frame = useRef(null);
  const canvas = useRef(null);
  const [box, setBox] = useState({ width: 0, height: 0 });
  const [over, setOver] = useState(null);
  const scroll = useRef(0);
  const rows = rowsOf(lanes, folded);
  const narrow = box.width > 0 && box.width < kNarrow;
  const left = box.width > 0 ? gutterOf(box.width) : 0;
  const view = viewOf({ ...box, left, head: narrow ? 20 : 0, lane: narrow ? 74 : 52, scroll: scroll.current, window });
  const latest = useLatest({ rows, view, window, move, pick, picked, newest });

  const paint = () => {
    const { rows: all, view: now, picked: chosen, newest: last } = latest.current;
    if (!now.width || !canvas.current) return;
    const scale = devicePixelRatio;
    if (canvas.current.width !== Math.round(now.width * scale) || canvas.current.height !== Math.round(now.height * scale)) {
      canvas.current.width = Math.round(now.width * scale);
      canvas.current.height = Math.round(now.height * scale);
    }
    const ink = canvas.current.getContext("2d");
    ink.setTransform(scale, 0, 0, scale, 0, 0);
    draw(ink, all, { ...now, scroll: scroll.current }, palette(frame.current), chosen, last);
  };

  useLayoutEffect(() => {
    const measure = () => {
      const width = frame.current.clientWidth;
      setBox({ width, height: frame.current.clientHeight });
      onWidth(Math.max(100, width - gutterOf(width)));
    };
    measure();
    const seen = new ResizeObserver(measure);
    seen.observe(frame.current);
    return () => seen.disconnect();
  }, []);
  useLayoutEffect(paint, [lanes, folded, window.from, window.to, box.width, box.height, picked?.id, picked?.t, newest, theme.value, shownTheme()]);

  const pointer = (event) => {
    const place = canvas.current.getBoundingClientRect();
    return { x: event.clientX - place.left, y: event.clientY - place.top };
  };
  const found = (event) => {
    const { x, y } = pointer(event);
    return hit(latest.current.rows, { ...latest.current.view, scroll: scroll.current }, x, y);
  };

  useEffect(() => {
    // Preact's listeners are passive for wheels; this one has to keep the page from zooming.
    const wheel = (event) => {
      const { view: now, window: shown, move: to } = latest.current;
      const sideways = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        to(zoom(shown, Math.exp(event.deltaY / 300), now.time(pointer(event).x)));
      } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        event.preventDefault();
        const by = (sideways / now.width) * (shown.to - shown.from);
        to({ from: shown.from + by, to: shown.to + by });
      }
    };
    const element = frame.current;
    element.addEventListener("wheel", wheel, { passive: false });
    return () => element.removeEventListener("wheel", wheel);
  }, []);

  const drag = useRef(null);
  const down = (event) => {
    if (event.button !== 0 || event.target !== canvas.current) return;
    drag.current = { ...pointer(event), window, moved: false, touch: event.pointerType === "touch" };
    if (event.pointerType !== "touch") canvas.current.setPointerCapture(event.pointerId);
  };
  const moved = (event) => {
    const held = drag.current;
    if (!held) return setOver(found(event));
    const by = pointer(event).x - held.x;
    if (Math.abs(by) > 4) held.moved = true;
    if (!held.moved) return;
    setOver(null);
    const time = (by / (view.width - view.left)) * (held.window.to - held.window.from);
    move({ from: held.window.from - time, to: held.window.to - time });
  };
  const up = (event) => {
    const held = drag.current;
    drag.current = null;
    if (!held || held.moved) return;
    const target = found(event);
    if (target) pick(target.mark.id);
  };
  const closer = (event) => {
    const target = found(event);
    const around = target ? target.mark.t : view.time(pointer(event).x);
    move(zoom(window, target?.mark.n > 1 ? 0.1 : 0.4, around));
  };
  const scrolled = () => {
    scroll.current = frame.current.scrollTop;
    setOver(null);
    paint();
  };

  return html`<div class=${`lanes${narrow ? " narrow" : ""}`} ref=${frame} onScroll=${scrolled} tabindex="-1">
    <canvas ref=${canvas} class=${over ? "hit" : ""} style=${{ width: `${box.width}px`, height: `${box.height}px` }}
      role="img" aria-label=${`${plural(lanes.length, "session")}; the keys j and k go from event to event, and "list" shows them as a table`}
      onPointerDown=${down} onPointerMove=${moved} onPointerUp=${up} onPointerCancel=${() => (drag.current = null)}
      onPointerLeave=${() => setOver(null)} onDblClick=${closer}></canvas>
    <ol class="gutters" style=${{ height: `${rows.length * view.lane + kAxis}px`, marginTop: `${-box.height}px` }}>
      ${rows.map((lane, at) => html`<li key=${lane.owner ? `${lane.session}/${lane.id}` : `${lane.agent} ${lane.session}`} style=${{ top: `${kAxis + at * view.lane}px`, height: `${view.lane}px` }}>
        <${Gutter} lane=${lane} narrow=${narrow} folded=${folded} filter=${filter} /></li>`)}
    </ol>
    ${over && html`<${Tip} over=${{ ...over, y: over.y + scroll.current }} width=${box.width} />`}
  </div>`;
};
