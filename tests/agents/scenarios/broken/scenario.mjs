import { denies, shows } from "../../guarded.mjs";

export { project } from "../../guarded.mjs";
export const title = "a rule file that was good once and is broken now";
export const notice = /last good version/;

const script = [
  { call: "shell", command: "touch forbidden" },
  { call: "shell", command: "touch allowed" },
  { say: "I am done." },
  { call: "shell", command: "touch gate.open" },
  { say: "I am really done." },
];

export async function play(stage) {
  await stage.open();
  stage.grapnel(["trust", "--yes"]);
  stage.install();
  stage.write("home/project/.agents/grapnel.yaml", stage.read("home/project/.agents/grapnel.yaml") + "\t- name: oops\n");
  await stage.watched(script);
}

export const checks = [
  ["deny", "the last good version still denies", denies],
  ["seen", "a person sees which line is wrong", shows("seen", /grapnel\.yaml:\d+/)],
];
