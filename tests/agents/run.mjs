// Holds Grapnel against the real agents: `node run.mjs GRAPNEL WORK [AGENT...]`. In each of them it is installed, the same
// hooks and the same script of model answers are run, and it is uninstalled. What was said and done stays in WORK/AGENT.
import { cpSync } from "node:fs";
import { join, resolve } from "node:path";
import { agents } from "./agents.mjs";
import { checks, script } from "./checks.mjs";
import { Scratch } from "./scratch.mjs";

const [grapnelFile, workDirectory, ...names] = process.argv.slice(2);
const grapnel = resolve(grapnelFile);

function must(done, what) {
  if (done.status !== 0) throw new Error(`${what} ended with ${done.status}: ${done.stdout}${done.stderr}`);
  return done.stdout;
}

/// The bytes of every settings file that the agent has or may get, here and in the project.
function settings(scratch, agent) {
  const files = new Set([...Object.keys(agent.files(0, "")), agent.hooksFile].map((file) => join("home", file)));
  files.add("project/.claude/settings.json");
  return Object.fromEntries([...files].map((file) => [file, scratch.read(file)]));
}

async function runAgent(agent, work) {
  const scratch = new Scratch(agent, join(work, agent.name));
  const call = (name, ...args) => scratch.call(name, grapnel, args);
  cpSync(join(import.meta.dirname, "project"), scratch.project, { recursive: true });
  const run = { agent, project: scratch.project };
  const status = await scratch.run(script, () => {
    run.before = settings(scratch, agent);
    must(call("trust.txt", "trust", "--yes"), "grapnel trust");
    must(call("install.txt", "install", agent.name), "grapnel install");
    run.installed = settings(scratch, agent);
  });
  if (status !== 0) throw new Error(`${agent.name} ended with ${status}: ${scratch.read("stderr")}`);
  run.told = agent.told(scratch);
  const lines = must(call("journal.jsonl", "log", "--json", "--limit", "0"), "grapnel log").split("\n").filter(Boolean);
  run.records = lines.map((line) => JSON.parse(line));
  run.isVerified = call("verify.txt", "log", "--verify").status === 0;
  const deny = run.records.find(({ verdict, event }) => verdict === "deny" && event === "PreToolUse");
  run.why = deny ? must(call("why.txt", "why", deny.id), "grapnel why") : "";
  must(call("uninstall.txt", "uninstall", agent.name), "grapnel uninstall");
  run.after = settings(scratch, agent);
  return run;
}

const wanted = agents.filter(({ name }) => names.length === 0 || names.includes(name));
const results = new Map();
for (const agent of wanted) {
  console.log(`${agent.name}…`);
  try {
    const run = await runAgent(agent, resolve(workDirectory));
    results.set(agent, new Map(checks.map(([item, , check]) => [item, check(run)])));
  } catch (error) {
    results.set(agent, new Map(checks.map(([item]) => [item, error.message])));
  }
}

const isDifferent = (agent, item) => item in agent.cannot;
const cell = (agent, item) => (results.get(agent).get(item) ? "FAILED" : isDifferent(agent, item) ? "not there*" : "yes");
const row = (cells, last) => cells.map((text) => text.padEnd(11)).join("") + last;
console.log("\n" + row(["", ...wanted.map(({ name }) => name)], ""));
for (const [item, title] of checks) console.log(row([item, ...wanted.map((agent) => cell(agent, item))], title));
for (const agent of wanted) {
  for (const [item, why] of Object.entries(agent.cannot)) console.log(`* ${agent.name}, ${item}: ${why}`);
}
let isFine = true;
for (const agent of wanted) {
  for (const why of new Set([...results.get(agent).values()].filter(Boolean))) {
    console.error(`${agent.name}: ${why}`);
    isFine = false;
  }
}
process.exit(isFine ? 0 : 1);
