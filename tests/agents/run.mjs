// Holds Grapnel against the real agents: `node run.mjs GRAPNEL WORK [OPTION...] [AGENT or SCENARIO...]`. Plays every scenario
// with every agent, and prints what worked in which. What was said and done stays in WORK/SCENARIO/AGENT.
//
// With `--off` the agent does not call Grapnel while it runs. Then every check has to fail: one that does not shows nothing.
// With `--update` the notices that people see are written to screens/.
import { existsSync, readdirSync } from "node:fs";
import { cpus } from "node:os";
import { join, resolve } from "node:path";
import { agents } from "./agents.mjs";
import { compareScreen } from "./screens.mjs";
import { Stage } from "./stage.mjs";

const options = process.argv.slice(2).filter((word) => word.startsWith("--"));
const isOff = options.includes("--off");
const [grapnelFile, workDirectory, ...names] = process.argv.slice(2).filter((word) => !options.includes(word));
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

/// What has to hold: the checks of the scenario, and that a notice looks as it is documented.
function checksOf(scenario, name) {
  if (!scenario.notice) return scenario.checks;
  const compare = (stage) => compareScreen(stage, name, scenario.notice, options.includes("--update"));
  return [...scenario.checks, ["documented", "docs/status.md shows what is on the screen", compare]];
}

/// Whether it is no wonder that a check holds with hooks switched off, too: it is about something else ("any" agent, or
/// these), or about what the agent cannot do.
const holdsAnyway = ([item, , , agents], agent, cannot) => item in cannot || agents === "any" || Boolean(agents?.includes(agent.name));
const whenOff = (why, check, { agent, cannot }) => (why || holdsAnyway(check, agent, cannot) ? "" : `${check[0]} holds without hooks`);

/// What each check says: nothing, or what is wrong; and what is worth a remark.
async function playOne(scenario, name, agent) {
  const template = scenario.project ?? join(folder, name, "project");
  const stage = new Stage(agent, join(resolve(workDirectory), name, agent.name), grapnel, template);
  stage.cannot = scenario.cannot?.[agent.name] ?? {};
  stage.isOff = isOff;
  try {
    await scenario.play(stage);
    const judge = (check) => (isOff ? whenOff(check[2](stage), check, stage) : check[2](stage));
    const results = new Map(checksOf(scenario, name).map((check) => [check[0], judge(check)]));
    return { results, remark: isOff ? "" : scenario.remark?.(stage) };
  } catch (error) {
    stage.write("error.txt", error.stack);
    return { results: new Map(checksOf(scenario, name).map(([item]) => [item, error.message.split("\n")[0]])) };
  } finally {
    stage.close();
  }
}

/// The agents that a scenario is for; all of them unless it names some.
const playersOf = (scenario) => cast.filter(({ name }) => scenario.agents?.includes(name) ?? true);

/// As many agents at a time as there are processors.
async function playAll(scenario, name) {
  const played = new Map();
  const waiting = playersOf(scenario);
  const player = async () => {
    for (let agent = waiting.shift(); agent; agent = waiting.shift()) played.set(agent, await playOne(scenario, name, agent));
  };
  await Promise.all(cpus().map(player));
  return played;
}

const row = (cells, last) => cells.map((text) => text.padEnd(13)).join("") + last;

/// Prints the table of a scenario. Answers whether all is as it should be.
function report(scenario, name, played) {
  const players = playersOf(scenario);
  const limits = (agent) => scenario.cannot?.[agent.name] ?? {};
  const whyNot = (agent, item) => played.get(agent).results.get(item);
  const good = (agent, check) => (!isOff ? "yes" : holdsAnyway(check, agent, {}) ? "holds" : "missed");
  const cell = (agent, check) =>
    whyNot(agent, check[0]) ? "FAILED" : check[0] in limits(agent) ? "not there*" : good(agent, check);
  console.log("\n" + row([name, ...players.map((agent) => agent.name)], scenario.title));
  for (const check of checksOf(scenario, name)) {
    console.log(row([check[0], ...players.map((agent) => cell(agent, check))], check[1]));
  }
  for (const agent of players) {
    for (const [item, why] of Object.entries(limits(agent))) console.log(`* ${agent.name}, ${item}: ${why}`);
  }
  for (const agent of players.filter((each) => played.get(each).remark)) console.log(`  ${agent.name}: ${played.get(agent).remark}`);
  const reasons = (agent) => [...new Set(played.get(agent).results.values())].filter(Boolean);
  const wrong = players.flatMap((agent) => reasons(agent).map((why) => [agent, why]));
  for (const [agent, why] of wrong) console.error(`${name}, ${agent.name}: ${why}`);
  return wrong.length === 0;
}

let isFine = true;
for (const name of chosen(all)) {
  const scenario = await import(join(folder, name, "scenario.mjs"));
  if (playersOf(scenario).length === 0) continue;
  isFine = report(scenario, name, await playAll(scenario, name)) && isFine;
}
process.exit(isFine ? 0 : 1);
