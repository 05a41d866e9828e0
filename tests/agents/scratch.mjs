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
    this.environment = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: this.home };
    rmSync(root, { recursive: true, force: true });
    mkdirSync(this.home, { recursive: true });
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

  /// Runs a program in the project and keeps what it prints.
  call(name, program, args) {
    const done = spawnSync(program, args, { cwd: this.project, env: this.environment, encoding: "utf8" });
    this.write(name, done.stdout + done.stderr);
    return done;
  }

  /// Starts the model, puts the agent's settings where it looks for them, calls `prepare`, runs the agent to its end.
  /// Answers its exit status.
  async run(script, prepare, extra = []) {
    const steps = script.map((step) => (step.path ? { ...step, path: join(this.project, step.path) } : step));
    const model = await serveModel(steps, join(this.root, "requests.jsonl"));
    for (const [file, text] of Object.entries(this.agent.files(model.port, this.project))) {
      this.write(join("home", file), text);
    }
    if (this.agent.script) this.write(this.agent.script[0], this.agent.script[1](steps));
    await prepare();
    const output = (name) => openSync(join(this.root, name), "w");
    const child = spawn(join(cache, "node_modules", ".bin", this.agent.name), [...this.agent.arguments, ...extra], {
      cwd: this.project,
      env: { ...this.environment, ...this.agent.environment(model.port) },
      stdio: ["ignore", output("stdout"), output("stderr")],
    });
    const timer = setTimeout(() => child.kill("SIGKILL"), patience);
    const status = await new Promise((ended) => child.on("exit", (code, signal) => ended(signal ?? code)));
    clearTimeout(timer);
    model.close();
    return status;
  }
}
