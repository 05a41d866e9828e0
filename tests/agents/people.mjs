// Finds out who reads what a hook says, without Grapnel: `node people.mjs WORK [AGENT...]`. Each agent runs in a terminal once
// for each channel, with a hook at every event that says its name through that channel; afterwards the name is on the
// screen, in a request to the model, in both or nowhere. The tables go to people/AGENT.md.
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { agents } from "./agents.mjs";
import { Scratch } from "./scratch.mjs";

const here = import.meta.dirname;

const channels = [
  ["message", "`systemMessage`"],
  ["context", "`additionalContext`"],
  ["stdout", "plain text"],
  ["stderr", "standard error"],
  ["exit1", "standard error, exit 1"],
  ["exit2", "standard error, exit 2"],
  ["refuse", "reason of a refusal"],
  ["stop", "`stopReason`"],
];

const script = [
  { call: "shell", command: "touch one" },
  { call: "shell", command: "touch two" },
  { call: "shell", command: "ls missing" },
  { call: "write", path: "notes.txt", content: "hello\n" },
  ...["first", "second", "third", "fourth", "fifth"].map((word) => ({ say: `The ${word} end.` })),
];

/// A person who types prompts until everything that the script has was said, asks for a compaction, and leaves.
async function converse(agent, person) {
  for (const text of ["First.", "Second.", "Third.", "Fourth.", agent.compact]) {
    await person.say(text);
    await person.terminal.still();
  }
}

async function listen(agent, channel, work) {
  const scratch = new Scratch(agent, join(work, agent.name, channel));
  await scratch.open();
  const spoken = join(scratch.root, "spoken");
  scratch.hook((event) => [process.execPath, join(here, "voice.mjs"), spoken, event, channel].join(" "));
  let seen = "";
  try {
    seen = await scratch.runWatched(script, (person) => converse(agent, person), { more: agent.whenRecorded });
  } catch (error) {
    // An agent that was stopped cannot be asked to leave.
    seen = scratch.read("screen.txt");
    scratch.write("error.txt", error.stack);
  }
  scratch.close();
  const told = scratch.read("requests.jsonl") + agent.told(scratch).join("\n");
  const squeezed = seen.replace(/\s+/g, "");
  return (event) => {
    const words = `${event}/${channel}!`;
    if (!scratch.read("spoken").includes(words)) return "";
    const readers = [squeezed.includes(words) && "person", told.includes(words) && "model"].filter(Boolean);
    return readers.join(", ") || "nobody";
  };
}

const [directory, ...names] = process.argv.slice(2);
mkdirSync(join(here, "people"), { recursive: true });
for (const agent of agents.filter(({ name }) => names.length === 0 || names.includes(name))) {
  const columns = [];
  for (const [channel] of channels) columns.push(await listen(agent, channel, resolve(directory)));
  const line = (cells) => `| ${cells.join(" | ")} |\n`;
  const rows = agent.events.map((event) => [`\`${event}\``, ...columns.map((column) => column(event))]);
  const table = [["event", ...channels.map(([, title]) => title)], Array(channels.length + 1).fill("---")]
    .concat(rows.filter(([, ...cells]) => cells.some(Boolean)));
  writeFileSync(join(here, "people", `${agent.name}.md`), table.map(line).join(""));
  console.log(`${agent.name}: ${rows.length} events`);
}
