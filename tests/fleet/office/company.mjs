// A fleet for tests: an office with a real server and collector, and machines, all in temporary homes.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

export const grapnel = resolve(process.env.GRAPNEL);

/** Waits until `ask` returns something true. */
export const until = async (what, ask) => {
  for (let i = 0; i < 3000; ++i) {
    const answer = await ask();
    if (answer) return answer;
    await new Promise((done) => setTimeout(done, 20));
  }
  assert.fail(`it never came: ${what}`);
};

export class Home {
  constructor(variables = {}) {
    this.path = mkdtempSync(join(tmpdir(), "grapnel-fleet-"));
    mkdirSync(join(this.path, "run"), { mode: 0o700 });
    mkdirSync(join(this.path, "project"));
    this.children = [];
    this.env = {
      HOME: this.path, XDG_RUNTIME_DIR: join(this.path, "run"), PATH: `${dirname(grapnel)}:/usr/bin:/bin:/usr/sbin`,
      LANG: "C.UTF-8", TZ: "UTC", TERM: "xterm", GRAPNEL_SERVE: "off", ...variables,
    };
  }
  run(words, { input = "", env = {} } = {}) {
    const done = spawnSync(grapnel, words, {
      env: { ...this.env, ...env }, cwd: join(this.path, "project"), input, encoding: "utf8", maxBuffer: 1 << 28,
    });
    return { status: done.status, out: done.stdout, err: done.stderr, text: `${done.stdout}${done.stderr}` };
  }
  fleet(...words) {
    return this.run(["fleet", ...words]);
  }
  /** The same without waiting for it, so that this process can answer it meanwhile. */
  later(words, { env = {} } = {}) {
    const child = spawn(grapnel, words, { env: { ...this.env, ...env }, cwd: join(this.path, "project") });
    this.children.push(child);
    const said = { out: "", err: "" };
    child.stdout.on("data", (piece) => (said.out += piece));
    child.stderr.on("data", (piece) => (said.err += piece));
    const ended = new Promise((done) => child.on("close", (status, signal) => done({ status, signal, ...said, text: said.out + said.err })));
    return { child, said, ended };
  }
  remove() {
    for (const child of this.children) child.kill("SIGKILL");
    rmSync(this.path, { recursive: true, force: true });
  }
}

export class Company {
  constructor() {
    this.office = new Home();
    const made = this.office.fleet("init", "--listen", "127.0.0.1:0");
    assert.equal(made.status, 0, made.text);
    this.homes = [this.office];
  }
  token(...words) {
    return this.office.fleet("token", ...words).out.trim();
  }
  /** A machine whose agent asks the hooks of `settings`, as Gemini CLI has them. */
  async join(settings) {
    const machine = new Home();
    this.homes.push(machine);
    if (settings) {
      mkdirSync(join(machine.path, ".gemini"));
      writeFileSync(join(machine.path, ".gemini/settings.json"), JSON.stringify(settings));
    }
    await until("the collector", () => machine.fleet("join", this.token(), "--no-start").status === 0);
    return machine;
  }
  end() {
    this.office.fleet("down");
    for (const home of this.homes) home.remove();
  }
}

/** A tool call of an agent. */
export const fire = (machine, command, more = {}) =>
  machine.run(["fire", "--as", "gemini"], {
    input: JSON.stringify({
      hook_event_name: "BeforeTool", session_id: "session-1", tool_name: "run_shell_command", tool_input: { command }, ...more,
    }),
  });

export const flush = (machine) => {
  const flushed = machine.fleet("flush", "--wait", "100s");
  assert.equal(flushed.status, 0, flushed.text);
};
