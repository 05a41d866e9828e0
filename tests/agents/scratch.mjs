// A home and a project of its own for one agent, the run of that agent in it, and what it leaves behind.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { cache } from "./agents.mjs";
import { serveModel } from "./model.mjs";

const patience = 180_000;

export class Scratch {
  constructor(agent, root) {
    this.agent = agent;
    this.root = root;
    this.home = join(root, "home");
    this.project = join(root, "project");
    rmSync(root, { recursive: true, force: true });
    mkdirSync(this.home, { recursive: true });
    mkdirSync(this.project, { recursive: true });
    // Agents look for the root of the repository: this is one.
    spawnSync("git", ["init", "--quiet", this.project]);
  }

  write(path, text) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  /// Puts the agent's own settings where it looks for them, with `hooks` when given.
  writeSettings(port, hooks) {
    const settings = hooks ? { ...this.agent.settings, hooks } : this.agent.settings;
    this.write(join(this.home, this.agent.hooksFile), JSON.stringify(settings, null, 2) + "\n");
    for (const [file, text] of Object.entries(this.agent.files?.(port) ?? {})) this.write(join(this.home, file), text);
  }

  environment(port) {
    return { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: this.home, ...this.agent.environment(port) };
  }

  /// Starts the model, calls `prepare(port)`, runs the agent to its end; its exit status.
  async run(script, prepare, extra = []) {
    const steps = script.map((step) => (step.path ? { ...step, path: join(this.project, step.path) } : step));
    const model = await serveModel(steps, join(this.root, "requests.jsonl"));
    await prepare(model.port);
    if (this.agent.script) this.write(join(this.root, this.agent.script[0]), this.agent.script[1](steps));
    const program = join(cache, "node_modules", ".bin", this.agent.name);
    const output = (name) => openSync(join(this.root, name), "w");
    const child = spawn(program, [...this.agent.arguments, ...extra], {
      cwd: this.project,
      env: this.environment(model.port),
      stdio: ["ignore", output("stdout"), output("stderr")],
    });
    const timer = setTimeout(() => child.kill("SIGKILL"), patience);
    const status = await new Promise((ended) => child.on("exit", (code, signal) => ended(signal ?? code)));
    clearTimeout(timer);
    model.close();
    return status;
  }

  read(name) {
    const path = join(this.root, name);
    return existsSync(path) ? readFileSync(path, "utf8") : "";
  }
}
