// A hook that says its name through one channel: `node voice.mjs FILE EVENT CHANNEL`. It notes in FILE that it spoke. What
// would stop the agent is said only the first time.
import { appendFileSync, existsSync, readFileSync } from "node:fs";

const [file, event, channel] = process.argv.slice(2);
const words = `${event}/${channel}!`;
const isFirst = !existsSync(file) || !readFileSync(file, "utf8").split("\n").includes(words);
readFileSync(0);

const own = (rest) => ({ hookSpecificOutput: { hookEventName: event, ...rest } });

function refusal() {
  if (event === "PreToolUse") return own({ permissionDecision: "deny", permissionDecisionReason: words });
  if (event === "PermissionRequest") return own({ decision: { behavior: "deny", message: words } });
  return { decision: event === "BeforeTool" ? "deny" : "block", reason: words };
}

// [standard output, standard error, exit status]
const channels = {
  message: [{ systemMessage: words }],
  context: [own({ additionalContext: words })],
  stdout: [words],
  stderr: ["", words],
  exit1: ["", words, 1],
  exit2: ["", words, 2],
  refuse: [refusal()],
  stop: [{ continue: false, stopReason: words }],
};
const stopping = ["exit2", "refuse", "stop", "context"];

if (isFirst || !stopping.includes(channel)) {
  appendFileSync(file, words + "\n");
  const [output, error = "", status = 0] = channels[channel];
  process.stderr.write(error && error + "\n");
  process.stdout.write(typeof output === "string" ? output && output + "\n" : JSON.stringify(output));
  process.exitCode = status;
}
