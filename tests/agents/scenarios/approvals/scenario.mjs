// A hook asks, and a person answers in another terminal.
import { spawn } from "node:child_process";
import { checksFor, playWith, reason } from "../../asking.mjs";

export { agents, project } from "../../asking.mjs";
export const title = "a person answers with grapnel approve";

/// A person who keeps `grapnel approve --follow` open and answers each question, or does not.
class Answering {
  constructor(stage) {
    this.stage = stage;
    this.asked = [];
    this.place = { cwd: stage.home, env: stage.environment };
    this.terminal = spawn(stage.grapnelProgram, ["approve", "--follow", "--json"], { ...this.place, stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    this.terminal.stdout.on("data", (bytes) => {
      const lines = (text + bytes).split("\n");
      text = lines.pop();
      for (const line of lines) this.hears(JSON.parse(line));
    });
  }

  hears({ id, subject }) {
    this.asked.push(subject);
    if (subject === "touch allowed") this.says([id, "--once"]);
    if (subject === "touch denied") this.says([id, `--deny=${reason}`]);
    if (subject === "touch abandoned") this.leave();
  }

  says(words) {
    spawn(this.stage.grapnelProgram, ["approve", ...words, "--yes"], { ...this.place, stdio: "ignore" });
  }

  leave() {
    this.terminal.kill("SIGKILL");
  }
}

export const play = playWith((stage) => new Answering(stage));
export const checks = checksFor("terminal", "terminal");
