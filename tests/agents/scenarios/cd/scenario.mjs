import { denies, gates, script } from "../../guarded.mjs";

export { project } from "../../guarded.mjs";
export const title = "`cd` into a subdirectory in the middle";

export async function play(stage) {
  await stage.open();
  stage.grapnel(["trust", "--yes"]);
  stage.install();
  // Some shells stay in the directory; the others are told the directory with each call.
  const directory = stage.agent.staysInDirectory ? undefined : "sub";
  await stage.watched([{ call: "shell", command: "cd sub" }, ...script(directory, "../")]);
}

export const checks = [
  ["deny", "a rule of the project denies there", (stage) => denies(stage, "sub")],
  ["gate", "a gate of the project holds there", gates],
];
