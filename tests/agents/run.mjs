// Holds Grapnel against the real agents: `node run.mjs GRAPNEL WORK [AGENT or SCENARIO...]`. Plays every scenario with every
// agent, and prints what worked in which. What was said and done stays in WORK/SCENARIO/AGENT.
import { existsSync, readdirSync } from "node:fs";
import { cpus } from "node:os";
import { join, resolve } from "node:path";
import { agents } from "./agents.mjs";
import { Stage } from "./stage.mjs";

const [grapnelFile, workDirectory, ...names] = process.argv.slice(2);
const grapnel = resolve(grapnelFile);
const folder = join(import.meta.dirname, "scenarios");
const all = readdirSync(folder).filter((name) => existsSync(join(folder, name, "scenario.mjs"))).sort();

const unknown = names.find((name) => !all.includes(name) && !agents.some((agent) => agent.name === name));
if (unknown) {
  console.error(`run.mjs: no agent or scenario is called ${unknown}`);
  process.exit(2);
}
const chosen = (list) => (list.some((name) => names.includes(name)) ? list.filter((name) => names.includes(name)) : list);
const cast = chosen(agents.map(({ name }) => name)).map((name) => agents.find((agent) => agent.name === name));

/// What each check says: nothing, or what is wrong.
async function playOne(scenario, name, agent) {
  const template = scenario.project ?? join(folder, name, "project");
  const stage = new Stage(agent, join(resolve(workDirectory), name, agent.name), grapnel, template);
  stage.cannot = scenario.cannot?.[agent.name] ?? {};
  try {
    await scenario.play(stage);
    return new Map(scenario.checks.map(([item, , check]) => [item, check(stage)]));
  } catch (error) {
    stage.write("error.txt", error.stack);
    return new Map(scenario.checks.map(([item]) => [item, error.message.split("\n")[0]]));
  } finally {
    stage.close();
  }
}

/// The agents that a scenario is for; all of them unless it names some.
const playersOf = (scenario) => cast.filter(({ name }) => scenario.agents?.includes(name) ?? true);

/// As many agents at a time as there are processors.
async function playAll(scenario, name) {
  const results = new Map();
  const waiting = playersOf(scenario);
  const player = async () => {
    for (let agent = waiting.shift(); agent; agent = waiting.shift()) results.set(agent, await playOne(scenario, name, agent));
  };
  await Promise.all(cpus().map(player));
  return results;
}

const row = (cells, last) => cells.map((text) => text.padEnd(13)).join("") + last;

/// Prints the table of a scenario. Answers whether all is as it should be.
function report(scenario, name, results) {
  const players = playersOf(scenario);
  const limits = (agent) => scenario.cannot?.[agent.name] ?? {};
  const cell = (agent, item) => (results.get(agent).get(item) ? "FAILED" : item in limits(agent) ? "not there*" : "yes");
  console.log("\n" + row([name, ...players.map((agent) => agent.name)], scenario.title));
  for (const [item, title] of scenario.checks) console.log(row([item, ...players.map((agent) => cell(agent, item))], title));
  for (const agent of players) {
    for (const [item, why] of Object.entries(limits(agent))) console.log(`* ${agent.name}, ${item}: ${why}`);
  }
  const wrong = players.flatMap((agent) => [...new Set(results.get(agent).values())].filter(Boolean).map((why) => [agent, why]));
  for (const [agent, why] of wrong) console.error(`${name}, ${agent.name}: ${why}`);
  return wrong.length === 0;
}

let isFine = true;
for (const name of chosen(all)) {
  const scenario = await import(join(folder, name, "scenario.mjs"));
  isFine = report(scenario, name, await playAll(scenario, name)) && isFine;
}
process.exit(isFine ? 0 : 1);
