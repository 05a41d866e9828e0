// A terminal that a test can read and type into: a program in a tmux server of its own. A test never waits for a while, it
// waits until something is on the screen.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const patience = 120_000;
const glance = 100;

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
  }

  tmux(...args) {
    const done = spawnSync("tmux", ["-u", "-S", join(this.room, "s"), ...args], { env: this.environment, encoding: "utf8" });
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

  /// Waits until the text, from `from` on, has `wanted` (a text, a pattern, or a function of it). Answers the whole text.
  async until(wanted, what = String(wanted)) {
    const has = typeof wanted === "function" ? wanted : (text) => (wanted instanceof RegExp ? wanted.test(text) : text.includes(wanted));
    const end = Date.now() + patience;
    for (;;) {
      const text = this.text();
      if (has(text)) return text;
      if (Date.now() > end || this.isOver()) throw new Error(`the screen never showed ${what}:\n${text}`);
      await new Promise((go) => setTimeout(go, glance));
    }
  }

  async untilOver() {
    const end = Date.now() + patience;
    while (!this.isOver()) {
      if (Date.now() > end) throw new Error(`it did not end:\n${this.text()}`);
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

  close() {
    spawnSync("tmux", ["-S", join(this.room, "s"), "kill-server"], { env: this.environment });
    rmSync(this.room, { recursive: true, force: true });
  }
}
