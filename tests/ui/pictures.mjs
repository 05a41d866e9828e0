// Draws docs/pictures/timeline.png and event.png: a working day of several agents, in the page. tools/render-page runs it.
// The command itself decides each kind of event once; the day is made of copies of these records, with times, sessions
// and a chain of their own.
import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setUp } from "./stage.mjs";

const out = process.argv[2];
const agents = ["claude", "codex", "claude", "gemini", "claude", "codex", "gemini", "claude", "codex", "claude", "gemini"];
const projects = ["api", "web", "infra", "api", "docs"];
const kHour = 3_600_000;

let seed = 20;
const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
const pick = (list) => list[Math.floor(random() * list.length)];

const commands = ["ls -la", "git status", "cat src/main.cc", "make test", "npm test", "git diff --stat", "rg TODO src", "sed -n 1,40p README.md", "python3 tools/gen.py",
  "git push --force origin main", "cat .env", "npm publish --tag next", "npm install left-pad", "rm -r build/old"];
const weights = [9, 9, 9, 8, 8, 8, 8, 6, 6, 1, 0.6, 0.5, 1, 0.5];

const payload = (agent, session, cwd, command) =>
  agent === "gemini"
    ? { hook_event_name: "BeforeTool", session_id: session, cwd, tool_name: "run_shell_command", tool_input: { command } }
    : { hook_event_name: "PreToolUse", session_id: session, cwd, permission_mode: "default", tool_name: "Bash", tool_input: { command } };

const templates = (project) => {
  const list = [];
  for (const agent of ["claude", "codex", "gemini"]) {
    for (const command of commands) list.push([agent, payload(agent, `${agent}-template`, project, command)]);
    list.push([agent, { ...payload(agent, `${agent}-template`, project, ""), tool_name: agent === "gemini" ? "write_file" : "Write", tool_input: { file_path: `${project}/notes.txt`, content: "x" } }]);
  }
  return list;
};

const stage = await setUp({ list: templates, startLater: true });
const file = join(stage.home, ".local/state/grapnel/records.jsonl");
const known = readFileSync(file, "utf8").trim().split("\n").map((line) => JSON.parse(line));

const weighted = (agent) => {
  const kinds = known.filter(({ dialect }) => dialect === agent);
  const weigh = ({ subject }) => weights[commands.indexOf(subject)] ?? 1.2;
  let left = random() * kinds.reduce((sum, kind) => sum + weigh(kind), 0);
  return kinds.find((kind) => (left -= weigh(kind)) < 0) ?? kinds[0];
};

const day = [];
agents.forEach((agent, at) => {
  const start = Date.now() - 4.2 * kHour + (at / agents.length) * 3.4 * kHour;
  const session = `${agent}-${(0x3e30 + at * 7919).toString(16)}-${(0xb1f5 + at * 4057).toString(16)}`;
  let time = start;
  while (time < Math.min(Date.now() - 2000, start + (0.7 + random()) * kHour)) {
    // Turns: a few calls in a row, then a pause in which somebody reads.
    // One session sends a subagent ahead now and then.
    const crew = at === 9 && random() < 0.35 ? { agent_id: "explore-7c21", agent_type: "Explore" } : {};
    for (let calls = 4 + Math.floor(random() * 12); calls > 0; calls--) {
      time += 800 + random() * 9000;
      if (time < Date.now() - 1000) day.push({ ...weighted(agent), ...crew, session, time: new Date(time).toISOString(), project: join(stage.home, projects[at % projects.length]) });
    }
    time += (0.3 + random() * 3) * 60_000;
  }
});
day.sort((a, b) => (a.time < b.time ? -1 : 1));

let previous = "";
const lines = day.map(({ prev, hash, ...record }, at) => {
  const id = `${createHash("sha256").update(String(at)).digest("hex").slice(0, 16)}-${(Date.parse(record.time) % 2 ** 40).toString(16)}`;
  const body = `${JSON.stringify({ ...record, id }).slice(0, -1)},"prev":"${previous}`;
  previous = createHash("sha256").update(`${Buffer.byteLength(body)}:${body}`).digest("hex");
  return `${body}","hash":"${previous}"}\n`;
});
writeFileSync(file, lines.join(""));
for (const name of ["journal.db", "journal.db-wal", "journal.db-shm", "records.head"]) rmSync(join(stage.home, ".local/state/grapnel", name), { force: true });

await stage.start();
const { page } = await stage.open("/t", {
  viewport: { width: 1280, height: 700 },
  // Readers have another home than this test.
  before: (tab) =>
    tab.route("**/api/**", async (route) => {
      if (route.request().method() !== "GET" || route.request().url().includes("/api/live")) return route.continue();
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replaceAll(stage.home, "/home/you") });
    }),
});
await page.locator(".gutter").first().waitFor();
const events = stage.run("log", "--json", "--limit", "0").out.trim().split("\n").map((line) => JSON.parse(line));
const shown = events.filter(({ verdict, subject }) => verdict === "deny" && subject?.includes("--force")).at(-6);
await page.goto(`${stage.ui.origin}/t?id=${shown.id}`);
await page.locator("aside article.event").waitFor();
await page.locator(".gutter").first().waitFor();
await page.screenshot({ path: join(out, "timeline.png") });
const rewritten = events.filter(({ rewritten_subject: after }) => after).at(-2);
await page.setViewportSize({ width: 1100, height: 720 });
await page.goto(`${stage.ui.origin}/e/${rewritten.id}`);
await page.locator("article.event").waitFor();
await page.screenshot({ path: join(out, "event.png") });
await stage.end();
