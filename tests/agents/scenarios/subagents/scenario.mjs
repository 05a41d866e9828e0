// What a subagent does is held against the same rules, and the record says whose call it was. Events that only few
// agents have arrive; files of a whole turn are handled once.
const part = "Do your part of the work.";

const script = [
  { call: "shell", command: "cd inside" },
  { call: "shell", command: "cd .." },
  { call: "write", path: "one.txt", content: "1\n" },
  {
    call: "agent",
    prompt: part,
    script: [
      { call: "shell", command: "touch forbidden" },
      { call: "shell", command: "touch allowed" },
      { call: "write", path: "two.txt", content: "2\n" },
      { say: "My part is done." },
    ],
  },
  { say: "All is done." },
];

export const title = "rules hold in subagents; rarer events; once for a turn";
export const agents = ["claude"];

export async function play(stage) {
  await stage.open();
  stage.grapnel(["trust", "--yes"]);
  stage.install();
  await stage.alone(script);
}

const denial = "Forbidden files are not made here. (in the subagent general-purpose)";

function denied(stage) {
  if (!stage.made("allowed")) return "the subagent did nothing";
  if (stage.made("forbidden")) return "the command ran";
  return stage.everTold(denial) ? "" : "the subagent was not told why";
}

function attributed(stage) {
  const deny = stage.records.find(({ verdict }) => verdict === "deny");
  if (!deny) return "no denial is on record";
  return deny.reason === denial ? "" : `the reason on record is ${deny.reason}`;
}

function moved(stage) {
  const moves = stage.records.filter(({ event }) => event === "CwdChanged");
  if (moves.length === 0) return "no move is on record";
  return stage.content("moves").includes(stage.project) ? "" : "the rule did not run";
}

function settled(stage) {
  const runs = stage.content("runs").split("\n").filter(Boolean);
  if (runs.length !== 1) return `it ran ${runs.length} times`;
  return runs[0].includes("one.txt") && runs[0].includes("two.txt") ? "" : `it ran for ${runs[0]}`;
}

export const checks = [
  ["deny", "a command of a subagent is denied and it reads why", denied],
  ["whose", "the record says which subagent it was", attributed],
  ["cwd", "a rule runs when the shell goes to another directory", moved],
  ["turn", "two writes are handled once, at the end of the turn", settled],
];
