// How each agent is run without a network and without a person, and where its settings are.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fakeResponses } from "./model.mjs";

export const cache = join(process.env.XDG_CACHE_HOME ?? join(process.env.HOME, ".cache"), "grapnel", "agents");

const claudeEvents = ["SessionStart", "SessionEnd", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure",
  "PermissionRequest", "Notification", "Stop", "SubagentStart", "SubagentStop", "PreCompact", "PostCompact"];

const prompt = "Do the work.";

/// What the model was told, a text for each request that the server got.
function requests(scratch) {
  const lines = scratch.read("requests.jsonl").split("\n").filter(Boolean).map((line) => JSON.parse(line).body);
  return lines.filter((body) => JSON.stringify(body).includes(prompt)).map((body) => JSON.stringify(body));
}

/// The same from Gemini's own log of the session, as nobody sees its requests: a text for each message to the model.
function logged(scratch) {
  const projects = join(scratch.home, ".gemini", "tmp");
  if (!existsSync(projects)) return [];
  const chats = readdirSync(projects).map((project) => join(projects, project, "chats")).filter(existsSync);
  const files = chats.flatMap((chat) => readdirSync(chat).map((file) => join(chat, file)));
  const lines = files.flatMap((file) => readFileSync(file, "utf8").split("\n").filter(Boolean));
  return lines.filter((line) => JSON.parse(line).type === "user");
}

/// - `files`: its settings as a person left them, by their place in the home; with comments where it takes them.
/// - `hooksFile`: the one of them that has hooks; `second`: a timeout of one second in it.
/// - `told`: what the model was told, in order; the first is the prompt.
/// - `cannot`: what no hook can do there, by the item of checks.mjs, and why.
export const agents = [
  {
    name: "claude",
    events: claudeEvents,
    second: 1,
    hooksFile: ".claude/settings.json",
    files: () => ({ ".claude/settings.json": '{\n\t"model":   "claude-sonnet-4-5",\n\t"hooks": { }\n}\n' }),
    environment: (port) => ({
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
      ANTHROPIC_API_KEY: "none",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      CLAUDE_CODE_MAX_RETRIES: "0",
      DISABLE_TELEMETRY: "1",
      DISABLE_ERROR_REPORTING: "1",
      DISABLE_UPDATES: "1",
    }),
    arguments: ["-p", prompt, "--output-format", "text", "--allowedTools", "Bash", "Write"],
    told: requests,
    cannot: {},
  },
  {
    name: "gemini",
    events: ["SessionStart", "SessionEnd", "BeforeAgent", "AfterAgent", "BeforeModel", "AfterModel", "BeforeToolSelection",
      "BeforeTool", "AfterTool", "PreCompress", "Notification"],
    second: 1000,
    hooksFile: ".gemini/settings.json",
    files: () => ({
      ".gemini/settings.json": `{
  // No question at the start.
  "security": {"auth": {"selectedType": "gemini-api-key"}},
  "privacy": {"usageStatisticsEnabled": false}
}
`,
    }),
    environment: () => ({ GEMINI_API_KEY: "none", GEMINI_CLI_TRUST_WORKSPACE: "true" }),
    script: ["fake-responses.jsonl", fakeResponses],
    arguments: ["-p", prompt, "--approval-mode", "yolo", "--model", "gemini-2.5-pro",
      "--fake-responses", "../fake-responses.jsonl"],
    told: logged,
    cannot: {},
  },
  {
    name: "codex",
    events: ["SessionStart", "SessionEnd", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PermissionRequest", "Stop",
      "SubagentStart", "SubagentStop", "PreCompact", "PostCompact"],
    second: 1,
    hooksFile: ".codex/hooks.json",
    files: (port, project) => ({
      ".codex/config.toml": `model = "gpt-5.5"   # a model it knows: others get no tool for patches
model_provider = "script"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[model_providers.script]
name = "script"
base_url = "http://127.0.0.1:${port}/v1"
wire_api = "responses"

[projects."${project}"]   # it would write this itself
trust_level = "trusted"
`,
    }),
    environment: () => ({}),
    arguments: ["exec", "--skip-git-repo-check", prompt],
    whenRecorded: ["--dangerously-bypass-hook-trust"],
    told: requests,
    cannot: {},
  },
  {
    name: "qwen",
    events: claudeEvents,
    second: 1000,
    hooksFile: ".qwen/settings.json",
    files: () => ({
      ".qwen/settings.json": `{
    "privacy": {"usageStatisticsEnabled": false}, // nothing leaves this machine
    "general": {"enableAutoUpdate": false},
    "$version": 4
}`,
    }),
    environment: (port) => ({
      OPENAI_API_KEY: "none",
      OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
      OPENAI_MODEL: "scripted",
    }),
    arguments: ["-y", "--auth-type", "openai", "-p", prompt],
    told: requests,
    cannot: {
      rewrite: "it does not read a changed input before a tool; the call is denied",
      context: "it fires nothing when a session starts without a terminal; what belongs there has to come with the prompt",
    },
  },
];
