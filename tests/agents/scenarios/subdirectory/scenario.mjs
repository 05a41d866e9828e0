import { denies, gates, script, showsDenial, showsGate } from "../../guarded.mjs";

export { project } from "../../guarded.mjs";
export const title = "started in a subdirectory";

export const cannot = {
  gemini: { "deny-seen": "it shows neither a refused call nor why, unless its errorVerbosity is full" },
  qwen: { "gate-seen": "it tells only the model why it may not stop, if a call of a tool follows" },
};

export async function play(stage) {
  await stage.open(["project/sub"]);
  stage.grapnel(["trust", "--yes"]);
  stage.install();
  await stage.watched(script(undefined, "../"), { directory: "project/sub" });
}

export const checks = [
  ["deny", "a rule of the project denies there", (stage) => denies(stage, "sub")],
  ["deny-seen", "a person sees why", showsDenial("deny-seen")],
  ["gate", "a gate of the project holds there", gates],
  ["gate-seen", "a person sees what is missing", showsGate("gate-seen")],
];
