// What a scenario plays on: an agent in its scratch home, Grapnel beside it, and afterwards what they did and said.
import { execFile } from "node:child_process";
import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { Scratch } from "./scratch.mjs";

function must(done, what) {
  if (done.status !== 0) throw new Error(`${what} ended with ${done.status}: ${done.stdout}${done.stderr}`);
  return done.stdout;
}

export class Stage extends Scratch {
  /// `template` is copied as the project, if there is such a folder.
  constructor(agent, root, grapnelProgram, template) {
    super(agent, root);
    this.grapnelProgram = grapnelProgram;
    this.screen = "";
    this.question = "";
    if (existsSync(template)) cpSync(template, this.project, { recursive: true });
  }

  /// Runs `grapnel` in the project, or in `directory` below the home. It has to succeed; answers what it prints.
  grapnel(args, directory) {
    return must(this.tryGrapnel(args, directory), `grapnel ${args[0]}`);
  }

  tryGrapnel(args, directory) {
    return this.call(`${args[0]}.txt`, this.grapnelProgram, args, directory);
  }

  install() {
    this.grapnel(["install", this.agent.name]);
  }

  // With `--off`, the agent runs without what `grapnel install` wrote into its settings.
  async withoutHooks(run) {
    if (!this.isOff) return run();
    this.tryGrapnel(["uninstall", this.agent.name, "--yes"]);
    try {
      return await run();
    } finally {
      this.tryGrapnel(["install", this.agent.name]);
    }
  }

  runAlone(script, options) {
    return this.withoutHooks(() => super.runAlone(script, options));
  }

  runWatched(script, act, options) {
    return this.withoutHooks(() => super.runWatched(script, act, options));
  }

  /// Without a terminal, to its end.
  async alone(script, options) {
    const status = await this.runAlone(script, options);
    if (status !== 0) throw new Error(`${this.agent.name} ended with ${status}: ${this.read("stderr")}`);
  }

  /// In a terminal. A person types the prompt, reads until the last words of the script are there or the agent has
  /// stopped without them, says no if the agent asks something, and leaves.
  async watched(script, options) {
    const words = script.filter((step) => step.say);
    // Without hooks, nobody makes the agent go on after the first words.
    const last = (this.isOff ? words[0] : words.at(-1)).say;
    const isAsked = (screen) => this.agent.question.test(screen);
    this.screen = await this.runWatched(script, async (person) => {
      await person.say();
      const screen = await person.sees(async (text) => text.includes(last) || isAsked(text) || (await this.hasStopped()), last);
      if (!isAsked(screen)) return;
      this.question = screen;
      await person.refuses();
    }, options);
  }

  // Whether the agent was allowed to stop. Nothing else may wait for the answer: the model's server is in this process.
  async hasStopped() {
    const place = { cwd: this.project, env: this.environment, maxBuffer: 1 << 26 };
    const log = await promisify(execFile)(this.grapnelProgram, ["log", "--json", "--limit", "0"], place);
    const records = log.stdout.split("\n").filter(Boolean).map((line) => JSON.parse(line));
    return records.some(({ event, verdict }) => event === "Stop" && verdict !== "deny");
  }

  /// The words on the screen, in one line and without the lines around them; those of a question are gone when it was
  /// answered.
  get words() {
    return (this.question + this.screen).replace(/[│┃]/g, " ").replace(/\s+/g, " ");
  }

  /// Whether that file is in the project.
  made(file) {
    return existsSync(join(this.project, file));
  }

  content(file) {
    return this.made(file) ? readFileSync(join(this.project, file), "utf8") : "";
  }

  /// What the model was told, in order; the first is the prompt.
  get told() {
    return this.agent.told(this);
  }

  /// The first thing the model was told that has `text` in it; the prompt is 0.
  toldAt(text) {
    return this.told.findIndex((words) => words.includes(text));
  }

  /// Whether some model was told so, also that of a subagent.
  everTold(text) {
    return this.read("requests.jsonl").includes(JSON.stringify(text).slice(1, -1));
  }

  /// What Grapnel recorded, oldest first.
  get records() {
    const done = this.call("journal.jsonl", this.grapnelProgram, ["log", "--json", "--limit", "0"]);
    return must(done, "grapnel log").split("\n").filter(Boolean).map((line) => JSON.parse(line));
  }
}
