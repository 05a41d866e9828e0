// The person's own rule file, broken from the start: there is no version of it that could hold.
import { shows } from "../../guarded.mjs";

export const title = "a rule file that was never good";
export const notice = /none of its hooks runs/;

const script = [
  { call: "shell", command: "touch anything" },
  { say: "I am really done." },
];

export async function play(stage) {
  await stage.open();
  stage.write("home/.config/agents/grapnel.yaml", "version: 1\nhooks:\n\t- name: oops\n");
  stage.install();
  await stage.watched(script);
}

export const checks = [
  ["held", "nothing runs unasked", (stage) => (stage.made("anything") ? "the command ran" : "")],
  ["seen", "a person sees which line is wrong", shows("seen", /grapnel\.yaml:\d+/)],
];
