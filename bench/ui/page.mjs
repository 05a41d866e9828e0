#!/usr/bin/env node
// Measures `grapnel ui` over a journal in the real Chromium: page.mjs GRAPNEL STATE_DIRECTORY, where the journal is
// STATE_DIRECTORY itself (…/grapnel). Prints `name<TAB>number` lines, for bench/ui/run. `tools/setup ui` installs what
// this needs.
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
const print = (name, number) => console.log(`${name}\t${number}`);
const shortest = (numbers) => Math.min(...numbers);

const ui = await startUi(grapnel, { env, cwd: home });

/** Resident megabytes of the server. */
const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${ui.server()}/status`, "utf8"))[1]) / 1024;

const browser = await openBrowser();
const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
await page.goto(`${ui.origin}/t?range=all#ticket=${ui.ticket}`);
await page.locator(".gutter").first().waitFor({ timeout: 120_000 });
const paints = [];
const lanes = [];
for (let round = 0; round < 3; ++round) {
  await page.reload();
  await page.locator(".gutter").first().waitFor();
  lanes.push(await page.evaluate(() => performance.now()));
  paints.push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime));
}
print("first paint", shortest(paints));
print("lanes on the screen", shortest(lanes));

const ask = (path, body) => page.evaluate(async ([where, what]) => {
  const headers = { "X-Grapnel-Token": sessionStorage.getItem("grapnel-token"), "Content-Type": "application/json" };
  const start = performance.now();
  const reply = await fetch(where, what ? { method: "POST", headers, body: JSON.stringify(what) } : { headers });
  const text = await reply.text();
  return { ms: performance.now() - start, bytes: text.length, status: reply.status };
}, [path, body]);
const measure = async (name, path, body) => {
  const taken = [];
  for (let round = 0; round < 3; ++round) taken.push((await ask(path, body)).ms);
  print(name, shortest(taken));
};
await measure("page: timeline", "/api/timeline?width=1000");
await measure("page: 100 events", "/api/events?limit=100");
await measure("page: stats", "/api/stats");
const rule = "version: 1\nhooks:\n  - name: try\n    on: PreToolUse\n    when: { tool: shell, command: git push, flag: --force }\n    deny: no\n";
await measure("page: replay of 10,000 events", "/api/rules/replay", { yaml: rule, limit: 10_000 });

// From the time in the record to the line in the page.
const lags = [];
for (let round = 0; round < 5; ++round) {
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
print("live lag, median", lags.sort((a, b) => a - b)[2]);
print("memory of the server", memory());
await browser.close();
await ui.stop();
rmSync(home, { recursive: true, force: true });
