// What has to hold in every agent, each item a function of what the run left behind. A check answers what is wrong, or
// nothing.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const script = [
  { call: "shell", command: "touch forbidden" },
  { call: "shell", command: "touch plain" },
  { call: "write", path: "notes.txt", content: "hello\n" },
  { say: "I am done." },
  { call: "shell", command: "touch gate.open" },
  { say: "I am really done." },
];

const denial = "Forbidden files are not made here.";
const missing = "The gate is not open.";
const house = "The house rules are in RULES.md.";
const greeting = "The greeting is from the settings of Claude.";

const made = (run, file) => existsSync(join(run.project, file));

/// The first thing the model was told that has `text` in it; the prompt is 0.
const toldAt = (run, text) => run.told.findIndex((words) => words.includes(text));

function denied(run) {
  if (made(run, "forbidden")) return "the command ran";
  return toldAt(run, denial) > 0 ? "" : "the model was not told why";
}

function rewritten(run) {
  if (made(run, "plain")) return "the command ran as it was";
  if (run.agent.cannot.rewrite) return made(run, "rewritten") ? "it can rewrite after all" : "";
  return made(run, "rewritten") ? "" : "the changed command did not run";
}

function injected(run) {
  if (toldAt(run, house) !== 0) return "the model was not told of the rules at the start";
  const isGreeted = toldAt(run, greeting) === 0;
  if (run.agent.cannot.context) return isGreeted ? "it hears hooks at the start after all" : "";
  return isGreeted ? "" : "the model was not told what Claude's file says at the start";
}

function gated(run) {
  if (toldAt(run, missing) < 1) return "the model was not told what is missing";
  if (!made(run, "gate.open")) return "it did not go on";
  const stops = run.records.filter(({ event }) => event === "Stop").map(({ verdict }) => verdict);
  return stops.join() === "deny,pass" ? "" : `it stopped with ${stops.join(", ")}`;
}

function acted(run) {
  if (!made(run, "notes.copy")) return "nothing was done after the edit";
  return readFileSync(join(run.project, "notes.copy"), "utf8") === "hello\n" ? "" : "something else was copied";
}

function onceOnly(run) {
  const log = made(run, "claude.log") ? readFileSync(join(run.project, "claude.log"), "utf8") : "";
  const want = run.agent.cannot.context ? "wrote\n" : "started\nwrote\n";
  return log === want ? "" : `the hooks of Claude's file left ${JSON.stringify(log)}`;
}

/// Hooks by what became of them in the records of that event: `gate deny`, `copy-notes pass`.
function fates(run, event) {
  const hooks = run.records.filter((record) => record.event === event).flatMap((record) => record.hooks);
  return hooks.map(({ name, fate, verdict }) => `${name} ${fate} ${verdict}`);
}

function recorded(run) {
  const { agent, records } = run;
  if (!run.isVerified) return "the chain of records is broken";
  const foreign = records.find(({ dialect }) => dialect !== agent.name);
  if (foreign) return `an event is recorded as ${foreign.dialect}'s`;
  const count = (event) => records.filter((record) => record.event === event).length;
  const calls = [count("PreToolUse"), count("PostToolUse")].join();
  const want = agent.cannot.rewrite ? "4,2" : "4,3";
  if (calls !== want) return `calls and results on record are ${calls} instead of ${want}`;
  const expected = {
    PreToolUse: ["no-forbidden ran deny", "other-name ran pass"],
    PostToolUse: ["copy-notes ran pass"],
    Stop: ["gate ran deny", "gate ran pass"],
    [agent.cannot.context ? "UserPromptSubmit" : "SessionStart"]: ["house-rules ran pass"],
  };
  for (const [event, hooks] of Object.entries(expected)) {
    const absent = hooks.find((hook) => !fates(run, event).includes(hook));
    if (absent) return `no record at ${event} of: ${absent}`;
  }
  return run.why.includes("no-forbidden") && run.why.includes(denial) ? "" : "grapnel why does not tell why";
}

function restored(run) {
  const changed = Object.keys(run.before).filter((file) => run.before[file] !== run.after[file]);
  if (Object.values(run.before).join() === Object.values(run.installed).join()) return "nothing was installed";
  return changed.length === 0 ? "" : `other bytes in ${changed.join(", ")}`;
}

export const checks = [
  ["deny", "a command is denied and the model reads why", denied],
  ["rewrite", "an input is rewritten", rewritten],
  ["context", "context of the session's start reaches the model", injected],
  ["gate", "a stop gate makes it go on once", gated],
  ["after-edit", "an action follows an edit", acted],
  ["once", "hooks of Claude's own file run once, not twice", onceOnly],
  ["journal", "the journal tells the whole story", recorded],
  ["restore", "uninstall gives the settings back byte for byte", restored],
];
