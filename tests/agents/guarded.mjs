// A project with a rule and a gate (the folder `guarded`), and what has to hold in it, for the scenarios that differ in
// where the agent is and what became of the rules.
import { join } from "node:path";

export const project = join(import.meta.dirname, "guarded");

const denial = "Forbidden files are not made here.";
const missing = "The gate is not open.";

/// An attempt at what is forbidden, an end too early, and then the gate is opened. `directory` is where commands run.
export const script = (directory, up) => [
  { call: "shell", command: "touch forbidden", directory },
  { call: "shell", command: "touch allowed", directory },
  { say: "I am done." },
  { call: "shell", command: `touch ${up}gate.open`, directory },
  { say: "I am really done." },
];

export function denies(stage, directory = ".") {
  if (stage.made(join(directory, "forbidden"))) return "the command ran";
  if (!stage.made(join(directory, "allowed"))) return "the other command did not run";
  return stage.toldAt(denial) > 0 ? "" : "the model was not told why";
}

export function gates(stage) {
  if (stage.toldAt(missing) < 1) return "the model was not told what is missing";
  const stops = stage.records.filter(({ event }) => event === "Stop").map(({ verdict }) => verdict);
  return stops.join() === "deny,pass" ? "" : `it stopped with ${stops.join(", ")}`;
}

/// What the person reads. If the agent cannot show it, it must not: then the reason given is out of date.
export const shows = (item, ...texts) => (stage) => {
  const absent = texts.find((text) => (text instanceof RegExp ? !text.test(stage.words) : !stage.words.includes(text)));
  if (item in stage.cannot) return absent ? "" : "it shows that after all";
  return absent ? `the screen does not show ${absent}` : "";
};

export const showsDenial = (item) => shows(item, denial);
export const showsGate = (item) => shows(item, missing);
