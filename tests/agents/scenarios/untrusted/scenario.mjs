import { shows } from "../../guarded.mjs";

export { project } from "../../guarded.mjs";
export const title = "a project that nobody has trusted";

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

const notice = /not trusted/g;

export const checks = [
  ["off", "its rules do not run", (stage) => (stage.made("forbidden") ? "" : "the command was stopped")],
  ["seen", "a person sees that they are off, and what to do", shows("seen", /not trusted/, "grapnel trust")],
  ["once", "once in the session", (stage) => {
    const count = stage.words.match(notice)?.length ?? 0;
    return count <= 1 ? "" : `the notice is there ${count} times`;
  }],
];
