#!/usr/bin/env node
// Measures `grapnel ui` over a journal in the real Chromium: page.mjs GRAPNEL STATE_DIRECTORY, where the journal is
// STATE_DIRECTORY itself (…/grapnel). Prints `name<TAB>number` lines, for bench/ui/run; with processor time, of the
// server on average and of the page, in a third column. `tools/setup ui` installs what this needs.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { openBrowser, startUi } from "../../tests/ui/page.mjs";

const [grapnel, directory] = process.argv.slice(2).map((path) => resolve(path));
const home = mkdtempSync(join(tmpdir(), "grapnel-bench-ui-"));
const env = {
  HOME: home, XDG_STATE_HOME: dirname(directory), XDG_RUNTIME_DIR: home, PATH: process.env.PATH, TERM: "xterm", TZ: "UTC",
  GRAPNEL_KEEP: "400d", GRAPNEL_SERVE: "off",
};
const kRounds = 9;
const print = (name, ...numbers) => console.log([name, ...numbers].join("\t"));
const shortest = (numbers) => Math.min(...numbers);

const ui = await startUi(grapnel, { env, cwd: home });

/** Resident megabytes of the server. */
const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${ui.server()}/status`, "utf8"))[1]) / 1024;

/** Milliseconds of processor time that the server has used, to ten. */
const processor = () => {
  const [user, system] = readFileSync(`/proc/${ui.server()}/stat`, "utf8").replace(/^.*\) /s, "").split(" ").slice(11, 13);
  return (Number(user) + Number(system)) * 10;
};

const browser = await openBrowser();
const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
await page.goto(`${ui.origin}/t?range=all#ticket=${ui.ticket}`);
await page.locator(".gutter").first().waitFor({ timeout: 120_000 });
// The page itself notes when the first lane has been drawn.
await page.addInitScript(() => {
  const look = () => (document.querySelector(".gutter") ? requestAnimationFrame(() => (window.drawnAt = performance.now())) : requestAnimationFrame(look));
  look();
});
/** Milliseconds of processor time of the page's own thread. */
const devtools = await page.context().newCDPSession(page);
await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
const pageProcessor = async () => {
  const { metrics } = await devtools.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration").value * 1000;
};
const paints = [];
const lanes = [];
const used = [];
const before = processor();
for (let round = 0; round < kRounds; ++round) {
  const sofar = await pageProcessor();
  await page.reload();
  await page.waitForFunction(() => window.drawnAt);
  lanes.push(await page.evaluate(() => window.drawnAt));
  used.push((await pageProcessor()) - sofar);
  paints.push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime));
}
print("first paint", shortest(paints));
print("lanes on the screen", shortest(lanes), shortest(used) + (processor() - before) / kRounds);

const ask = (path, body) => page.evaluate(async ([where, what]) => {
  const headers = { "X-Grapnel-Token": sessionStorage.getItem("grapnel-token"), "Content-Type": "application/json" };
  const start = performance.now();
  const reply = await fetch(where, what ? { method: "POST", headers, body: JSON.stringify(what) } : { headers });
  const text = await reply.text();
  return { ms: performance.now() - start, status: reply.status, text };
}, [path, body]);
const measure = async (name, path, body) => {
  const taken = [];
  const before = processor();
  let reply;
  for (let round = 0; round < kRounds; ++round) {
    reply = await ask(path, body);
    if (reply.status !== 200) throw new Error(`${name}: ${reply.status}`);
    taken.push(reply.ms);
  }
  print(name, shortest(taken), (processor() - before) / kRounds);
  return JSON.parse(reply.text);
};
const { lanes: shown } = await measure("page: timeline", "/api/timeline?width=1000");
const marksOf = ({ marks = [], subagents = [] }) => marks.length + subagents.reduce((sum, one) => sum + marksOf(one), 0);
print("marks in a reply", shown.reduce((sum, lane) => sum + marksOf(lane), 0));
await measure("page: 100 events", "/api/events?limit=100");
await measure("page: stats", "/api/stats");
const rule = "version: 1\nhooks:\n  - name: try\n    on: PreToolUse\n    when: { tool: shell, command: git push, flag: --force }\n    deny: no\n";
await measure("page: replay of 10,000 events", "/api/rules/replay", { yaml: rule, limit: 10_000 });

// From the time in the record to the line in the page.
const lags = [];
const beforeLags = processor();
for (let round = 0; round < kRounds; ++round) {
  const heard = page.evaluate(async () => {
    const headers = { "X-Grapnel-Token": sessionStorage.getItem("grapnel-token") };
    const stop = new AbortController();
    const { body } = await fetch("/api/live", { headers, signal: stop.signal });
    window.listening = true;
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ""; ;) {
      const { value } = await reader.read();
      text += value;
      const row = text.split("\n").slice(0, -1).map((line) => JSON.parse(line)).find(({ events }) => events?.length);
      if (!row) continue;
      const now = Date.now();
      stop.abort();
      window.listening = false;
      return now - Date.parse(row.events.at(-1).time);
    }
  });
  await page.waitForFunction(() => window.listening);
  spawnSync(grapnel, ["fire", "PreToolUse", "--as", "claude"], {
    env, cwd: home, input: JSON.stringify({ session_id: "bench", hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls" } }),
  });
  lags.push(await heard);
}
print("live lag", shortest(lags), (processor() - beforeLags) / kRounds);
print("memory of the server", memory());
await browser.close();
await ui.stop();
rmSync(home, { recursive: true, force: true });
