// A home with a project in it for one agent, runs of that agent there, and what they leave behind.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { cache, prompt } from "./agents.mjs";
import { serveModel } from "./model.mjs";
import { Terminal } from "./terminal.mjs";

const patience = 180_000;

/// A person in front of the agent: reads the screen, types, leaves.
class Person {
  constructor(agent, terminal) {
    this.agent = agent;
    this.terminal = terminal;
  }

  /// Types a prompt when the agent is ready for one, and sends it.
  async say(text = prompt) {
    const { terminal, agent } = this;
    await terminal.until(agent.emptyBox, "an empty box for the prompt");
    terminal.type(text);
    // An empty box that was drawn while the agent started may still be above.
    const lastBox = (screen) => [...screen.matchAll(new RegExp(agent.emptyBox, "gm"))].at(-1)?.index ?? -1;
    await terminal.until((screen) => screen.lastIndexOf(text) > lastBox(screen), `what was typed: ${text}`);
    terminal.press("Enter");
    await terminal.until((screen) => agent.emptyBox.test(screen) || agent.question.test(screen), "that the prompt was sent");
  }

  /// Waits until the screen shows that; see Terminal.
  sees(wanted, what) {
    return this.terminal.until(wanted, what);
  }

  /// Cancels what the agent asks about.
  async refuses() {
    const { terminal, agent } = this;
    terminal.press("Escape");
    await terminal.until((screen) => !agent.question.test(screen), "that the question is gone");
  }

  async leaves() {
    const { terminal, agent } = this;
    await terminal.until(agent.emptyBox, "an empty box for the prompt");
    terminal.type(agent.quit);
    await terminal.until(agent.quit);
    await terminal.pressUntilOver("Enter");
  }
}

export class Scratch {
  constructor(agent, root) {
    this.agent = agent;
    this.root = root;
    this.home = join(root, "home");
    // Below the home, as projects are: nothing above the home has anything to do with it.
    this.project = join(this.home, "project");
    this.environment = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: this.home };
    rmSync(root, { recursive: true, force: true });
    mkdirSync(this.project, { recursive: true });
    // Agents look for the root of the repository: this is one.
    spawnSync("git", ["init", "--quiet", this.project]);
  }

  write(name, text) {
    const path = join(this.root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  read(name) {
    const path = join(this.root, name);
    return existsSync(path) ? readFileSync(path, "utf8") : "";
  }

  /// Runs a program in the project, or in a directory below the home, and keeps what it prints.
  call(name, program, args, directory = "project") {
    const cwd = join(this.home, directory);
    const done = spawnSync(program, args, { cwd, env: this.environment, encoding: "utf8" });
    this.write(name, done.stdout + done.stderr);
    return done;
  }

  /// Starts the model and puts the agent's settings where it looks for them. `directories`, below the home, are those it
  /// will be started in.
  async open(directories = ["project"]) {
    this.model = await serveModel(join(this.root, "requests.jsonl"));
    const places = directories.map((directory) => join(this.home, directory));
    const files = { ...this.agent.files(this.model.port, places), ...this.agent.state(places) };
    for (const [file, text] of Object.entries(files)) this.write(join("home", file), text);
  }

  /// Puts a command at each of these events, in the agent's own settings.
  hook(commandFor, events = this.agent.events) {
    const { hooksFile, second } = this.agent;
    const file = join("home", hooksFile);
    const settings = JSON.parse(this.read(file).replace(/ *\/\/.*/g, "") || "{}");
    const entry = (event) => {
      const timeout = (event === "SessionEnd" ? 3 : 30) * second;
      return [{ hooks: [{ type: "command", command: commandFor(event), timeout }] }];
    };
    const hooks = Object.fromEntries(events.map((event) => [event, entry(event)]));
    this.write(file, JSON.stringify({ ...settings, hooks }));
  }

  close() {
    this.model?.close();
  }

  // The agent's command line and its place, when the model has learnt the script.
  start(script, directory, more) {
    const full = (step, key) => (step[key] ? { [key]: join(this.project, step[key]) } : {});
    const steps = script.map((step) => ({ ...step, ...full(step, "path"), ...full(step, "directory") }));
    this.model.play(steps);
    if (this.agent.script) this.write(this.agent.script[0], this.agent.script[1](steps));
    return {
      command: [join(cache, "node_modules", ".bin", this.agent.name), ...more, ...this.agent.arguments(this.root)],
      cwd: join(this.home, directory),
      env: { ...this.environment, ...this.agent.environment(this.model.port) },
    };
  }

  /// Runs the agent without a terminal to its end. Answers its exit status.
  async runAlone(script, { directory = "project", more = [] } = {}) {
    const { command, ...place } = this.start(script, directory, [...this.agent.alone, ...more]);
    const output = (name) => openSync(join(this.root, name), "w");
    const child = spawn(command[0], command.slice(1), { ...place, stdio: ["ignore", output("stdout"), output("stderr")] });
    const timer = setTimeout(() => child.kill("SIGKILL"), patience);
    const status = await new Promise((ended) => child.on("exit", (code, signal) => ended(signal ?? code)));
    clearTimeout(timer);
    return status;
  }

  /// Runs the agent in a terminal with a person in front of it, who does `act` and leaves. Answers what was on the screen;
  /// it is kept as `name`.
  async runWatched(script, act, { directory = "project", more = [], name = "screen.txt" } = {}) {
    const { command, cwd, env } = this.start(script, directory, [...this.agent.atTerminal, ...more]);
    const terminal = new Terminal(command, cwd, env);
    try {
      const person = new Person(this.agent, terminal);
      await act(person);
      await person.leaves();
      return terminal.text();
    } finally {
      this.write(name, terminal.text());
      terminal.close();
    }
  }
}
