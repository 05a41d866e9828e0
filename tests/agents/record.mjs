// Records what the real agents send to their hooks, without Grapnel: `node record.mjs WORK [AGENT...]`. Of each event and
// tool the first two payloads are kept in payloads/, with what differs from run to run replaced.
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { agents } from "./agents.mjs";
import { Scratch } from "./scratch.mjs";

const here = import.meta.dirname;
const kept = join(here, "payloads");

const script = [
  { call: "shell", command: "touch forbidden" },
  { call: "shell", command: "touch plain" },
  { call: "shell", command: "ls missing" },
  { call: "write", path: "notes.txt", content: "hello\n" },
  { say: "I am done." },
  { call: "shell", command: "touch gate" },
  { say: "I am really done." },
];

// One call refused, one rewritten, one stop refused, so that what follows is recorded, too.
const block = { decision: "block", reason: "The gate is missing." };
const deny = { permissionDecision: "deny", permissionDecisionReason: "Forbidden files are not made here." };
const allow = { permissionDecision: "allow", updatedInput: { command: "touch rewritten" } };
const answers = {
  PreToolUse: [deny, allow].map((answer) => ({ hookSpecificOutput: { hookEventName: "PreToolUse", ...answer } })),
  Stop: [block],
  BeforeTool: [
    { decision: "deny", reason: "Forbidden files are not made here." },
    { hookSpecificOutput: { hookEventName: "BeforeTool", tool_input: { command: "touch rewritten" } } },
  ],
  AfterAgent: [block],
};

function scrub(text, scratch, ids) {
  const id = (found) => {
    if (!ids.has(found)) ids.set(found, `00000000-0000-4000-8000-${String(ids.size + 1).padStart(12, "0")}`);
    return ids.get(found);
  };
  return text
    .replaceAll(scratch.project.replace(/[^A-Za-z0-9]/g, "-"), "-home-you-project")
    .replaceAll(scratch.project, "/home/you/project")
    .replaceAll(scratch.home, "/home/you")
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, id)
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/g, "2026-01-02T03:04:05.678Z")
    .replace(/\d{4}-\d\d-\d\dT\d\d-\d\d(-\d\d\b)?(-[0-9a-f]{8}(?=\.))?/g, "2026-01-02T03-04")
    .replace(/\b\d{4}\/\d\d\/\d\d\b/g, "2026/01/02")
    .replace(/Today's date is [^(]*/g, "Today's date is Friday, January 2, 2026 ")
    .replace(/toolu_\d{13}_\w+/g, "toolu_1")
    .replace(/PGID: \d+/g, "PGID: 1000")
    .replace(/"duration_ms":\d+/g, '"duration_ms":10');
}

function keep(scratch, recorded, target) {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const seen = new Map();
  const ids = new Map();
  for (const file of readdirSync(recorded).sort()) {
    if (file === "answers.json") continue;
    const text = scrub(readFileSync(join(recorded, file), "utf8"), scratch, ids);
    const payload = JSON.parse(text);
    const name = [payload.hook_event_name, payload.tool_name].filter(Boolean).join("-");
    const before = seen.get(name) ?? [];
    if (before.length === 2 || before.includes(text)) continue;
    seen.set(name, [...before, text]);
    writeFileSync(join(target, name + (before.length ? "-again" : "") + ".json"), text.trimEnd() + "\n");
  }
}

const [directory, ...names] = process.argv.slice(2);
const work = resolve(directory);
for (const agent of agents.filter(({ name }) => names.length === 0 || names.includes(name))) {
  const scratch = new Scratch(agent, join(work, agent.name));
  const recorded = join(scratch.root, "recorded");
  const recorder = [process.execPath, join(here, "recorder.mjs"), recorded].join(" ");
  scratch.write("recorded/answers.json", JSON.stringify(answers));
  await scratch.open();
  scratch.hook((event) => `${recorder} ${event}`);
  const status = await scratch.runAlone(script, { more: agent.whenRecorded });
  scratch.close();
  keep(scratch, recorded, join(kept, agent.name));
  console.log(`${agent.name}: ended with ${status}, ${readdirSync(recorded).length - 1} payloads`);
}
