// Everything a hook can do, in a run without a terminal.
import { join } from "node:path";

const script = [
  { call: "shell", command: "touch forbidden" },
  { call: "shell", command: "touch plain" },
  { call: "write", path: "notes.txt", content: "hello\n" },
  { say: "I am done." },
  { call: "shell", command: "touch gate.open" },
  { say: "I am really done." },
];

export const title = "what a hook can do, without a terminal";

/// What no hook can do there, by the item of `checks`, and why.
export const cannot = {
  qwen: {
    rewrite: "it does not read a changed input before a tool; the call is denied",
    context: "it fires nothing when a session starts without a terminal; what belongs there has to come with the prompt",
  },
};

/// The bytes of every settings file that the agent has or may get, here and in the project.
function settings(stage) {
  const { agent } = stage;
  const files = [...Object.keys(agent.files(0, [])), agent.hooksFile, "project/.claude/settings.json"];
  return Object.fromEntries([...new Set(files)].map((file) => [file, stage.read(join("home", file))]));
}

export async function play(stage) {
  await stage.open();
  stage.before = settings(stage);
  stage.grapnel(["trust", "--yes"]);
  stage.install();
  stage.installed = settings(stage);
  await stage.alone(script);
  const deny = stage.records.find(({ verdict, event }) => verdict === "deny" && event === "PreToolUse");
  stage.why = deny ? stage.grapnel(["why", deny.id]) : "";
  stage.grapnel(["uninstall", stage.agent.name, "--yes"]);
  stage.after = settings(stage);
}

const denial = "Forbidden files are not made here.";
const missing = "The gate is not open.";
const house = "The house rules are in RULES.md.";
const greeting = "The greeting is from the settings of Claude.";

function denied(stage) {
  if (stage.made("forbidden")) return "the command ran";
  return stage.toldAt(denial) > 0 ? "" : "the model was not told why";
}

function rewritten(stage) {
  if (stage.made("plain")) return "the command ran as it was";
  if (stage.cannot.rewrite) return stage.made("rewritten") ? "it can rewrite after all" : "";
  return stage.made("rewritten") ? "" : "the changed command did not run";
}

function injected(stage) {
  if (stage.toldAt(house) !== 0) return "the model was not told of the rules at the start";
  const isGreeted = stage.toldAt(greeting) === 0;
  if (stage.cannot.context) return isGreeted ? "it hears hooks at the start after all" : "";
  return isGreeted ? "" : "the model was not told what Claude's file says at the start";
}

function gated(stage) {
  if (stage.toldAt(missing) < 1) return "the model was not told what is missing";
  if (!stage.made("gate.open")) return "it did not go on";
  const stops = stage.records.filter(({ event }) => event === "Stop").map(({ verdict }) => verdict);
  return stops.join() === "deny,pass" ? "" : `it stopped with ${stops.join(", ")}`;
}

function acted(stage) {
  if (!stage.made("notes.copy")) return "nothing was done after the edit";
  return stage.content("notes.copy") === "hello\n" ? "" : "something else was copied";
}

function onceOnly(stage) {
  const log = stage.content("claude.log");
  const want = stage.cannot.context ? "wrote\n" : "started\nwrote\n";
  return log === want ? "" : `the hooks of Claude's file left ${JSON.stringify(log)}`;
}

/// Hooks by what became of them in the records of that event: `gate deny`, `copy-notes pass`.
function fates(stage, event) {
  const hooks = stage.records.filter((record) => record.event === event).flatMap((record) => record.hooks);
  return hooks.map(({ name, fate, verdict }) => `${name} ${fate} ${verdict}`);
}

function recorded(stage) {
  const { agent, records } = stage;
  if (stage.tryGrapnel(["log", "--verify"]).status !== 0) return "the chain of records is broken";
  // `grapnel uninstall` is an event of Grapnel itself.
  const foreign = records.find(({ dialect, event }) => dialect !== agent.name && event !== 'Weakened');
  if (foreign) return `an event is recorded as ${foreign.dialect}'s`;
  const count = (event) => records.filter((record) => record.event === event).length;
  const calls = [count("PreToolUse"), count("PostToolUse")].join();
  const want = stage.cannot.rewrite ? "4,2" : "4,3";
  if (calls !== want) return `calls and results on record are ${calls} instead of ${want}`;
  const expected = {
    PreToolUse: ["no-forbidden ran deny", "other-name ran pass"],
    PostToolUse: ["copy-notes ran pass"],
    Stop: ["gate ran deny", "gate ran pass"],
    [stage.cannot.context ? "UserPromptSubmit" : "SessionStart"]: ["house-rules ran pass"],
  };
  for (const [event, hooks] of Object.entries(expected)) {
    const absent = hooks.find((hook) => !fates(stage, event).includes(hook));
    if (absent) return `no record at ${event} of: ${absent}`;
  }
  return stage.why.includes("no-forbidden") && stage.why.includes(denial) ? "" : "grapnel why does not tell why";
}

function restored(stage) {
  const changed = Object.keys(stage.before).filter((file) => stage.before[file] !== stage.after[file]);
  if (Object.values(stage.before).join() === Object.values(stage.installed).join()) return "nothing was installed";
  return changed.length === 0 ? "" : `other bytes in ${changed.join(", ")}`;
}

export const checks = [
  ["deny", "a command is denied and the model reads why", denied],
  ["rewrite", "an input is rewritten", rewritten],
  ["context", "context of the session's start reaches the model", injected],
  ["gate", "a stop gate makes it go on once", gated],
  ["after-edit", "an action follows an edit", acted],
  ["once", "hooks of Claude's own file run once, not twice", onceOnly, ["claude"]],
  ["journal", "the journal tells the whole story", recorded],
  ["restore", "uninstall gives the settings back byte for byte", restored, "any"],
];
