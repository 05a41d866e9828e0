import { denies } from "../../guarded.mjs";

export const title = "a part of the project has rules of its own";

const script = [
  { call: "shell", command: "touch forbidden" },
  { call: "shell", command: "touch special" },
  { call: "shell", command: "touch allowed" },
  { say: "I am really done." },
];

export async function play(stage) {
  await stage.open(["project/part"]);
  stage.grapnel(["trust", "--yes"], "project/part");
  stage.install();
  await stage.watched(script, { directory: "project/part" });
}

function deniesToo(stage) {
  if (stage.made("part/special")) return "the command ran";
  return stage.toldAt("Special files are not made in this part.") > 0 ? "" : "the model was not told why";
}

export const checks = [
  ["outer", "a rule of the whole project denies in the part", (stage) => denies(stage, "part")],
  ["inner", "a rule of the part denies there", deniesToo],
];
