// A project whose hook asks about every `touch` (the folder `asking`), and what has to come of four calls: a person allows
// one, denies one, lets one expire, and is gone in the middle of the last. The scenarios differ in where the person answers.
import { join } from "node:path";

export const project = join(import.meta.dirname, "asking");

/// One agent that asks by itself, and one that cannot.
export const agents = ["claude", "codex"];

export const reason = "Not this file.";

const script = [
  { call: "shell", command: "touch allowed" },
  { call: "shell", command: "touch denied" },
  { call: "shell", command: "touch expired" },
  { call: "shell", command: "touch abandoned" },
  { say: "I am done." },
];

const wait = 10; // seconds; answers take far less

/// `arrive` answers a person who keeps the list `asked` and can `leave`.
export const playWith = (arrive) => async (stage) => {
  await stage.open();
  stage.write("home/.config/grapnel/settings.yaml", `ask: page\nask_wait: ${wait}s\n`);
  stage.grapnel(["trust", "--yes"]);
  stage.install();
  const person = await arrive(stage);
  try {
    await stage.alone(script);
  } finally {
    await person.leave();
  }
  stage.asked = person.asked;
};

/// What became of the question about that command.
function answerTo(stage, command) {
  const asked = stage.records.find(({ event, subject }) => event === "PreToolUse" && subject === command);
  return asked?.person;
}

const became = (stage, file, answer, by) => {
  const person = answerTo(stage, `touch ${file}`);
  if (person?.answer !== answer) return `the answer on record is ${person?.answer ?? "none"}`;
  return !by || person.by === by ? "" : `on record it was given in the ${person.by}`;
};

const allowed = (by) => (stage) => (stage.made("allowed") ? became(stage, "allowed", "once", by) : "the command did not run");

const denied = (by) => (stage) => {
  if (stage.made("denied")) return "the command ran";
  return stage.toldAt(`a person denied this: ${reason}`) > 0 ? became(stage, "denied", "deny", by) : "the model was not told why";
};

/// Without an answer the agent does what it does without `ask: page`: nobody is in front of it, so it says no.
const unanswered = (file, answer) => (stage) => {
  if (stage.made(file)) return "the command ran";
  if (stage.agent.name === "codex" && stage.toldAt("Make this file?") < 0) return "the model was not told the question";
  return became(stage, file, answer);
};

function asked(stage) {
  const want = script.flatMap(({ command }) => command ?? []).join();
  return stage.asked.join() === want ? "" : `the person was asked about ${stage.asked.join()}`;
}

/// `by`: where the answers come from, as records say it; `place`: the same for people.
export const checksFor = (by, place) => [
  ["asked", "each call is shown to the person once", asked],
  ["allowed", "what the person allowed runs", allowed(by)],
  ["denied", "what the person denied does not, and the model reads why", denied(by)],
  ["expired", "without an answer in time it does not", unanswered("expired", "expired")],
  ["killed", `nor if the ${place} is killed in the middle`, unanswered("abandoned", "left")],
];
