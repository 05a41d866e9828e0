import { shows } from "../../guarded.mjs";

export { project } from "../../guarded.mjs";
export const title = "a gate that gives up after max_blocks";
export const notice = /now opens/;

const script = [{ say: "I am done." }, { say: "I am still done." }, { say: "I am really done." }];

export async function play(stage) {
  await stage.open();
  stage.grapnel(["trust", "--yes"]);
  stage.install();
  await stage.watched(script);
}

function ends(stage) {
  const stops = stage.records.filter(({ event }) => event === "Stop").map(({ verdict }) => verdict);
  return stops.join() === "deny,deny,pass" ? "" : `it stopped with ${stops.join(", ")}`;
}

export const checks = [
  ["opens", "it refuses twice and then opens", ends],
  ["seen", "a person sees that it gave up", shows("seen", /'gate' has closed this gate as often as it may/)],
];
