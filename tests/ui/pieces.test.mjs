// Pieces of the page that need no browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ago, bytes, short, span, took } from "../../cli/ui/page/format.js";
import { without } from "../../cli/ui/page/rule_text.js";
import { withRows } from "../../cli/ui/page/timeline/follow.js";
import { rowsOf } from "../../cli/ui/page/timeline/rows.js";
import { clamp, pan, ticks, zoom } from "../../cli/ui/page/timeline/scale.js";

const rule = (when) => `version: 1\nhooks:\n  - name: x\n    on: PreToolUse\n    ${when}\n    deny: No.\n`;

test("a rule is narrowed by one exception after the other", () => {
  const cases = [
    ["a map in one line", "when: { tool: shell, command: git push }", "git push origin wip", "when: { tool: shell, command: git push, not: { command: ['git push origin wip'] } }"],
    ["a second exception", "when: { command: git push, not: { command: ['a'] } }", "b", "when: { command: git push, not: { command: ['a', 'b'] } }"],
    ["a quote in the command", "when: { command: echo }", "echo 'x'", "when: { command: echo, not: { command: ['echo ''x'''] } }"],
    ["a path", "when: { path: '**/.env*' }", "/tmp/.env.example", "when: { path: '**/.env*', not: { path: ['/tmp/.env.example'] } }"],
    ["a map in several lines", "when:\n      command: git push", "git push", "when:\n      not: { command: ['git push'] }\n      command: git push"],
    ["only the first line of a command", "when: { command: a }", "a\nb", "when: { command: a, not: { command: ['a'] } }"],
  ];
  for (const [note, when, subject, expected] of cases) assert.equal(without(rule(when), subject), rule(expected), note);
  assert.equal(without("version: 1\n", "x"), null, "no condition, nothing to narrow");
  assert.equal(without(rule("when: { command: a, not: { mode: plan } }"), "x"), null, "a condition of somebody's own is left alone");
});

test("times and sizes as people read them", () => {
  const cases = [
    [took(0), "< 1 µs"], [took(1), "1 µs"], [took(999), "999 µs"], [took(3400), "3.4 ms"], [took(42_000), "42 ms"], [took(1_900_000), "1.9 s"], [took(undefined), ""],
    [span(80), "80 ms"], [span(90_000), "1 min 30 s"], [span(7_800_000), "2 h 10 min"], [span(90_000_000), "1 d 1 h"],
    [ago(0, 3000), "just now"], [ago(0, 61_000), "1 min ago"], [ago("never"), "never"],
    [bytes(10), "10 B"], [bytes(2048), "2.0 KiB"],
    [short("4f1c"), "4f1c"], [short("claude-02-414c343c"), "414c343c"], [short("00000000-0000-4000-8000-00000000000a"), "00000000"],
  ];
  for (const [got, expected] of cases) assert.equal(got, expected);
});

test("a window stays a window", () => {
  const window = { from: 1000, to: 2000 };
  assert.deepEqual(zoom(window, 0.5), { from: 1250, to: 1750 });
  assert.deepEqual(zoom(window, 0.5, 1000), { from: 1000, to: 1500 });
  assert.deepEqual(pan(window, -0.2), { from: 800, to: 1800 });
  assert.deepEqual(clamp({ from: 5, to: 5 }), { from: -5, to: 15 });
});

test("lines of time are round, and far enough from each other", () => {
  for (const span of [50, 5000, 600_000, 3_600_000, 86_400_000, 30 * 86_400_000]) {
    const window = { from: 1_700_000_000_123, to: 1_700_000_000_123 + span };
    const found = ticks(window, 1000);
    assert.ok(found.length >= 1 && found.length <= 12, `${span}: ${found.length}`);
    for (const [at, { time }] of found.entries()) {
      assert.ok(time >= window.from && time <= window.to);
      if (at) assert.ok(((time - found[at - 1].time) / span) * 1000 >= 84 - 1);
    }
  }
});

test("subagents have lanes below their session, each below the one that started it; folded, they are part of it", () => {
  const sub = (id, parent, at) => ({ id, type: "T", parent, shown: 1, marks: [{ t: at, id: `e-${id}` }] });
  const lane = { session: "s", agent: "claude", marks: [{ t: 5, id: "own" }], subagents: [sub("a", "s", 1), sub("b", "a", 2), sub("c", undefined, 3), { id: "quiet", events: 9 }] };
  const told = (lanes, folded) => rowsOf(lanes, folded).map(({ owner, id, session, depth, marks }) => [owner ? id : session, depth ?? "", marks.map((mark) => mark.id).join(" ")].join(" "));
  assert.deepEqual(told([lane], false), ["s  own", "a 0 e-a", "b 1 e-b", "c 0 e-c"]);
  assert.deepEqual(told([lane], true), ["s  e-a e-b e-c own"]);
  const knot = { ...lane, subagents: [sub("a", "b", 1), sub("b", "a", 2)] };
  assert.equal(rowsOf([knot]).length, 3, "whoever names whom, everybody has a lane");
});

test("a new event of a subagent is drawn in the lane of the subagent", () => {
  const reply = { lanes: [], total: 0 };
  const row = (id, subagent) => ({ id, time: "2026-01-30T12:00:00Z", session: "s", agent: "claude", verdict: "deny", ...(subagent ? { subagent, subagent_type: "Explore" } : {}) });
  const [lane] = withRows(withRows(reply, [row("1"), row("2", "a")]), [row("3", "a"), row("2", "a")]).lanes;
  assert.deepEqual(lane.marks.map(({ id }) => id), ["1"]);
  assert.deepEqual(lane.subagents.map(({ id, type, events, marks }) => [id, type, events, marks.length]), [["a", "Explore", 2, 2]]);
  assert.equal(lane.events, 3);
  assert.equal(lane.deny, 3);
});
