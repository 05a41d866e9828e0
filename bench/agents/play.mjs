// Lets the real agents work with the same hook in several ways, and tells how long people wait for it:
//
//   node play.mjs GRAPNEL WORK ROUNDS SECONDS [AGENT...]
//
// Each run of an agent makes the same tool calls, for a model that answers at once. A line of output has the samples of
// one run: {"name": "AGENT/WAY/WHAT", "round": N, "samples": [nanoseconds…]}. WHAT is the time from the model's answer to
//
//   hook   the hook has read its event (measured inside the hook)
//   tool   the tool's command runs (measured inside that command)
//   call   the agent tells the model the result (measured by the model, around the call)
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { agents } from "../../tests/agents/agents.mjs";
import { Stage } from "../../tests/agents/stage.mjs";

const calls = 8;
// Gemini has no server that could tell when the model has answered; its engine is measured in process (bench/peers).
const names = ["claude", "codex", "qwen"];

const hookText = `import json, os, sys, time
event = json.load(sys.stdin)
with open(os.path.expanduser("~/hook-times"), "a") as times:
    times.write(f"{time.time_ns()}\\n")
if "--force" in event["tool_input"].get("command", ""):
    print("use --force-with-lease", file=sys.stderr)
    sys.exit(2)
`;
const command = (stage) => `/usr/bin/python3 ${stage.home}/hook.py`;

// The agent's calls differ, because agents stop models that repeat themselves.
const script = [
  ...Array.from({ length: calls }, (_, n) => ({ call: "shell", command: `date +%s%N >>"$HOME/tool-times"; : step ${n}` })),
  { say: "I am done." },
];

const rules = (line, more = "") => `version: 1
hooks:
  - { name: guard, on: PreToolUse, ${line}${more} }
`;

function bridge(stage, text) {
  stage.write("home/.config/agents/grapnel.yaml", text);
  stage.install();
}
const program = (stage) => `run: ${JSON.stringify(command(stage))}`;

// What the person has set up, by way; a server runs in those that are served.
const ways = {
  none: { set: () => {} },
  native: { set: (stage) => stage.hook(() => command(stage), ["PreToolUse"]) },
  bridge: { set: (stage) => bridge(stage, rules(program(stage))) },
  served: { set: (stage) => bridge(stage, rules(program(stage))), isServed: true },
  warm: { set: (stage) => bridge(stage, rules(program(stage), ", warm: true")), isServed: true },
  rule: { set: (stage) => bridge(stage, rules('when: { command: git push --force }, deny: "use --force-with-lease"')), isServed: true },
};
const hasProgram = (way) => way !== "none" && way !== "rule";

function times(stage, file) {
  const found = stage.read(file).split("\n").filter(Boolean).map(Number);
  if (found.length !== calls) throw new Error(`${file} has ${found.length} times, not ${calls}; see ${stage.root}`);
  return found;
}

/// The samples of one run, by what was measured.
async function play(agent, way, grapnel, work) {
  const stage = new Stage(agent, join(work, agent.name, way), grapnel, "");
  const { set, isServed } = ways[way];
  try {
    await stage.open();
    stage.write("home/hook.py", hookText);
    set(stage);
    if (isServed) stage.grapnel(["serve", "--background"]);
    // Codex asks about hooks in its settings, and nobody is there to answer.
    await stage.alone(script, { more: way === "native" ? agent.whenRecorded : undefined });
    if (way === "warm") {
      const { warm } = JSON.parse(stage.grapnel(["serve", "--status", "--json"]));
      if (warm.used < calls / 2) throw new Error(`only ${warm.used} of ${calls} hooks were warm; see ${stage.root}`);
    }
    const turns = stage.model.turns;
    const answered = turns.filter(({ step }) => step.call).map((turn) => turn.answered);
    if (answered.length !== calls) throw new Error(`the model answered ${answered.length} times with a call`);
    const results = turns.filter((turn) => answered.some((at) => at < turn.asked)).map(({ asked }) => asked);
    const since = (at, n) => at - answered[n];
    return {
      ...(hasProgram(way) ? { hook: times(stage, "home/hook-times").map(since) } : {}),
      tool: times(stage, "home/tool-times").map(since),
      call: answered.map((at) => results.find((asked) => asked > at)).map(since),
    };
  } finally {
    if (isServed) stage.tryGrapnel(["serve", "--stop", "--yes"]);
    stage.close();
  }
}

function shuffled(list) {
  return list.map((one) => [Math.random(), one]).sort(([a], [b]) => a - b).map(([, one]) => one);
}

const [grapnelFile, workDirectory, rounds, seconds, ...chosen] = process.argv.slice(2);
const work = resolve(workDirectory);
const cast = agents.filter(({ name }) => (chosen.length ? chosen : names).includes(name));
const end = performance.now() + 1000 * Number(seconds);
for (let round = 0; round < Number(rounds) && performance.now() < end; ++round) {
  for (const [agent, way] of shuffled(cast.flatMap((one) => Object.keys(ways).map((way) => [one, way])))) {
    for (const [what, samples] of Object.entries(await play(agent, way, resolve(grapnelFile), work))) {
      console.log(JSON.stringify({ name: `${agent.name}/${way}/${what}`, round, samples }));
    }
  }
}
rmSync(work, { recursive: true, force: true });
