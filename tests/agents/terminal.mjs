// A terminal that a test can read and type into: a program in a tmux server of its own. A test never waits for a while, it
// waits until something is on the screen.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const patience = 120_000;
const glance = 200;

// No program outlives the test, however that ends: without its terminal an agent may go on for ever.
const open = new Set();
process.on("exit", () => open.forEach((terminal) => terminal.close()));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => process.exit(1));

export class Terminal {
  /// Starts `command` (a list) in `directory` with just that environment.
  constructor(command, directory, environment, { columns = 140, rows = 50 } = {}) {
    // The socket is in a directory of its own, as a socket's path must be short.
    this.room = mkdtempSync(join(tmpdir(), "terminal-"));
    this.environment = { ...environment, TERM: "screen-256color", LANG: "C.UTF-8", COLORTERM: "" };
    const settings = join(this.room, "tmux.conf");
    writeFileSync(settings, [
      "set -g history-limit 20000",
      "set -g remain-on-exit on",
      "set -g default-terminal screen-256color",
      "set -g status off",
      "set -s escape-time 0",
    ].join("\n") + "\n");
    this.tmux("-f", settings, "new-session", "-d", "-x", String(columns), "-y", String(rows), "-c", directory, ...command);
    open.add(this);
    this.leader = this.tmux("display-message", "-p", "#{pane_pid}").trim();
  }

  tmux(...args) {
    const done = spawnSync("tmux", ["-u", "-S", join(this.room, "s"), ...args], {
      env: this.environment,
      encoding: "utf8",
      maxBuffer: 1 << 26,
    });
    if (done.error) throw done.error;
    if (done.status !== 0) throw new Error(`tmux ${args[0]}: ${done.stderr}`);
    return done.stdout;
  }

  /// What is on the screen, and above it in the history; lines that the terminal wrapped are joined.
  text() {
    return this.tmux("capture-pane", "-p", "-J", "-S", "-").replace(/[ \t]+$/gm, "").replace(/\n+$/, "\n");
  }

  isOver() {
    return this.tmux("display-message", "-p", "#{pane_dead}").trim() === "1";
  }

  /// Waits until the text has `wanted`: a text, a pattern, or a function of it. Answers the whole text.
  async until(wanted, what = String(wanted)) {
    const hasWanted = (text) => (wanted instanceof RegExp ? wanted.test(text) : text.includes(wanted));
    const has = typeof wanted === "function" ? wanted : hasWanted;
    const end = Date.now() + patience;
    for (;;) {
      const text = this.text();
      if (await has(text)) return text;
      if (Date.now() > end || this.isOver()) throw new Error(`the screen never showed ${what}`);
      await new Promise((go) => setTimeout(go, glance));
    }
  }

  /// Waits until the program writes nothing more: for agents that do not say when they are ready again.
  async still() {
    let before = "";
    let same = 0;
    await this.until((text) => {
      same = text === before ? same + 1 : 0;
      before = text;
      return same * glance >= 2000;
    }, "the same for a while");
  }

  /// Presses a key until the program is over: an agent may take the first for a part of what was pasted.
  async pressUntilOver(key) {
    const end = Date.now() + patience;
    for (let glances = 0; !this.isOver(); ++glances) {
      if (Date.now() > end) throw new Error("it did not end");
      if (glances % 15 === 0) this.press(key);
      await new Promise((go) => setTimeout(go, glance));
    }
    return this.text();
  }

  type(text) {
    this.tmux("send-keys", "-l", text);
  }

  /// Presses keys by tmux's names: Enter, Escape, C-c, Down…
  press(...keys) {
    this.tmux("send-keys", ...keys);
  }

  /// Ends the program and all that it started.
  close() {
    open.delete(this);
    const members = spawnSync("ps", ["-o", "pid=", "--sid", this.leader], { encoding: "utf8" }).stdout.split("\n");
    spawnSync("tmux", ["-S", join(this.room, "s"), "kill-server"], { env: this.environment });
    for (const id of members.map(Number).filter(Boolean)) {
      try {
        process.kill(id, "SIGKILL");
      } catch {
        // It has ended meanwhile.
      }
    }
    rmSync(this.room, { recursive: true, force: true });
  }
}
