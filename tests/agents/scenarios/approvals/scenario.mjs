// A hook asks, and a person answers in another terminal; one agent that asks by itself, and one that cannot.
import { spawn } from "node:child_process";

const script = [
  { call: "shell", command: "touch allowed" },
  { call: "shell", command: "touch denied" },
  { call: "shell", command: "touch expired" },
  { call: "shell", command: "touch abandoned" },
  { say: "I am done." },
];

export const title = "a person answers with grapnel approve";
export const agents = ["claude", "codex"];

const wait = 10; // seconds; the answers below take far less

/// A person who keeps `grapnel approve --follow` open and answers each question, or does not.
class Answering {
  constructor(stage) {
    this.stage = stage;
    this.answers = [];
    this.place = { cwd: stage.home, env: stage.environment };
    this.terminal = spawn(stage.grapnelProgram, ["approve", "--follow", "--json"], { ...this.place, stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    this.terminal.stdout.on("data", (bytes) => {
      const lines = (text + bytes).split("\n");
      text = lines.pop();
      for (const line of lines) this.hears(JSON.parse(line));
    });
  }

  hears({ id, subject }) {
    this.answers.push(subject);
    if (subject === "touch allowed") this.says([id, "--once"]);
    if (subject === "touch denied") this.says([id, "--deny=Not this file."]);
    if (subject === "touch abandoned") this.terminal.kill("SIGKILL");
  }

  says(words) {
    spawn(this.stage.grapnelProgram, ["approve", ...words, "--yes"], { ...this.place, stdio: "ignore" });
  }

  leaves() {
    this.terminal.kill("SIGKILL");
  }
}

export async function play(stage) {
  await stage.open();
  stage.write("home/.config/grapnel/settings.yaml", `ask: page\nask_wait: ${wait}s\n`);
  stage.grapnel(["trust", "--yes"]);
  stage.install();
  const person = new Answering(stage);
  try {
    await stage.alone(script);
  } finally {
    person.leaves();
  }
  stage.answers = person.answers;
}

/// What became of the question about that command.
function answerTo(stage, command) {
  const asked = stage.records.find(({ event, subject }) => event === "PreToolUse" && subject === command);
  return asked?.person?.answer ?? "none";
}

const became = (stage, file, answer) =>
  answerTo(stage, `touch ${file}`) === answer ? "" : `the answer on record is ${answerTo(stage, `touch ${file}`)}`;

function allowed(stage) {
  return stage.made("allowed") ? became(stage, "allowed", "once") : "the command did not run";
}

function denied(stage) {
  if (stage.made("denied")) return "the command ran";
  return stage.toldAt("a person denied this: Not this file.") > 0 ? became(stage, "denied", "deny") : "the model was not told why";
}

/// Without an answer the agent does what it does without `ask: page`: nobody is in front of it, so it says no.
const unanswered = (file, answer) => (stage) => {
  if (stage.made(file)) return "the command ran";
  if (stage.agent.name === "codex" && stage.toldAt("Make this file?") < 0) return "the model was not told the question";
  return became(stage, file, answer);
};

function asked(stage) {
  const want = script.flatMap(({ command }) => command ?? []).join();
  return stage.answers.join() === want ? "" : `the person was asked about ${stage.answers.join()}`;
}

export const checks = [
  ["asked", "each call is shown to the person once", asked],
  ["allowed", "what the person allowed runs", allowed],
  ["denied", "what the person denied does not, and the model reads why", denied],
  ["expired", "without an answer in time it does not", unanswered("expired", "expired")],
  ["killed", "nor if the terminal is killed in the middle", unanswered("abandoned", "left")],
];
