#!/usr/bin/env node
// Measures `grapnel ui` over a journal in the real Chromium: page.mjs GRAPNEL STATE_DIRECTORY, where the journal is
// STATE_DIRECTORY itself (…/grapnel). Prints `name<TAB>number` lines, for bench/ui/run. `tools/setup ui` installs what
// this needs.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const [grapnel, directory] = process.argv.slice(2).map((path) => resolve(path));
const lock = join(dirname(fileURLToPath(import.meta.url)), "../../tests/ui/package-lock.json");
const sum = createHash("sha256").update(readFileSync(lock)).digest("hex").slice(0, 12);
const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
const { chromium } = createRequire(join(cache, "grapnel", `ui-${sum}`, "node_modules/x"))("playwright-core");

const home = mkdtempSync(join(tmpdir(), "grapnel-bench-ui-"));
const env = {
  HOME: home, XDG_STATE_HOME: dirname(directory), XDG_RUNTIME_DIR: home, PATH: process.env.PATH, TERM: "xterm", TZ: "UTC",
  GRAPNEL_KEEP: "400d", GRAPNEL_SERVE: "off",
};
const print = (name, number) => console.log(`${name}\t${number}`);
const shortest = (numbers) => Math.min(...numbers);

const child = spawn("script", ["-qfec", `${grapnel} ui --no-open`, "/dev/null"], { env, cwd: home });
let shown = "";
child.stdout.on("data", (chunk) => (shown += chunk));
while (!/#ticket=[\w-]+/.test(shown)) await new Promise((done) => child.stdout.once("data", done));
const address = /http:\/\/127\.0\.0\.1:\d+\/#ticket=[\w-]+/.exec(shown)[0];

/** Resident megabytes of the server, which runs below `script`. */
const memory = () => {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      if (readFileSync(`/proc/${pid}/comm`, "utf8").trim() !== "grapnel-ui") continue;
      if (!readFileSync(`/proc/${pid}/environ`, "utf8").includes(`HOME=${home}\0`)) continue;
      return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;
    } catch { /* it has ended */ }
  }
  return NaN;
};

const browser = await chromium.launch({ executablePath: process.env.GRAPNEL_CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
await page.goto(address.replace("/#", "/t?range=all#"));
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
child.kill("SIGTERM");
rmSync(home, { recursive: true, force: true });
