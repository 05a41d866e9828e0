import { shows } from "../../guarded.mjs";

export { project } from "../../guarded.mjs";
export const title = "a project that nobody has trusted";
export const notice = /not trusted/;

const script = [
  { call: "shell", command: "touch forbidden" },
  { call: "shell", command: "touch allowed" },
  { say: "I am really done." },
];

export async function play(stage) {
  await stage.open();
  stage.install();
  await stage.watched(script);
}

function isOff(stage) {
  if (!stage.made("forbidden")) return "the command was stopped";
  const hooks = stage.records.filter(({ event }) => event === "PreToolUse").flatMap((record) => record.hooks);
  return hooks.some(({ name, fate }) => name === "no-forbidden" && fate === "skipped") ? "" : "no record says that it was skipped";
}

export const checks = [
  ["off", "its rules do not run, and the record says so", isOff],
  ["seen", "a person sees that they are off, and what to do", shows("seen", /not trusted/, "grapnel trust")],
  ["once", "once in the session", (stage) => {
    const count = stage.words.match(/not trusted/g)?.length ?? 0;
    return count === 1 ? "" : `the notice is there ${count} times`;
  }],
];
