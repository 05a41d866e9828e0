// How each agent is run without a network, with a terminal and without one, and where its settings are.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fakeResponses } from "./model.mjs";

export const cache = join(process.env.XDG_CACHE_HOME ?? join(process.env.HOME, ".cache"), "grapnel", "agents");

const claudeEvents = ["SessionStart", "SessionEnd", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure",
  "PermissionRequest", "Notification", "Stop", "SubagentStart", "SubagentStop", "PreCompact", "PostCompact"];

/// What a person types; a run without a terminal gets it as an argument.
export const prompt = "Do the work.";

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

/// - `files`: its settings as a person left them, by their place in the home; with comments where it takes them. `places`
///   are the directories that it will be started in.
/// - `hooksFile`: the one of them that has hooks; `second`: a timeout of one second in it.
/// - `state`: what it writes itself when it has asked its questions of the first start, with the answers.
/// - `arguments`: what it always gets; `alone` is for a run without a terminal, `atTerminal` for one with it.
/// - `staysInDirectory`: whether a `cd` holds for the commands after it.
/// - `emptyBox`: how its box for prompts looks when it is ready for one; `question`: how it asks about a call of a tool.
/// - `compact` and `quit`: what a person types for a compaction, and to leave it.
/// - `told`: what the model was told, in order; the first is the prompt.
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
    state: (places) => ({
      ".claude.json": JSON.stringify({
        hasCompletedOnboarding: true,
        theme: "dark",
        customApiKeyResponses: { approved: ["none"], rejected: [] },
        projects: Object.fromEntries(places.map((place) => [place, { hasTrustDialogAccepted: true }])),
      }),
    }),
    arguments: () => ["--allowedTools", "Bash", "Write", "Read"],
    alone: ["-p", prompt, "--output-format", "text"],
    atTerminal: [],
    staysInDirectory: true,
    emptyBox: /^❯\s*$/m,
    question: /Do you want to proceed\?/,
    compact: "/compact",
    quit: "/exit",
    told: requests,
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
    state: () => ({}),
    script: ["fake-responses.jsonl", fakeResponses],
    arguments: (root) => ["--approval-mode", "yolo", "--model", "gemini-2.5-pro",
      "--fake-responses", join(root, "fake-responses.jsonl")],
    alone: ["-p", prompt],
    atTerminal: [],
    emptyBox: /Type your message/,
    question: /Allow once/,
    compact: "/compress",
    quit: "/quit",
    told: logged,
  },
  {
    name: "codex",
    events: ["SessionStart", "SessionEnd", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PermissionRequest", "Stop",
      "SubagentStart", "SubagentStop", "PreCompact", "PostCompact"],
    second: 1,
    hooksFile: ".codex/hooks.json",
    files: (port, places) => ({
      ".codex/config.toml": `model = "gpt-5.5"   # a model it knows: others get no tool for patches
model_provider = "script"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[model_providers.script]
name = "script"
base_url = "http://127.0.0.1:${port}/v1"
wire_api = "responses"

${places.map((place) => `[projects."${place}"]   # it would write this itself\ntrust_level = "trusted"\n`).join("")}
[notice.model_migrations]   # no question about another model
"gpt-5.5" = "gpt-6-sol"
`,
    }),
    environment: () => ({}),
    state: () => ({}),
    arguments: () => [],
    alone: ["exec", "--skip-git-repo-check", prompt],
    atTerminal: ["--no-alt-screen", "--no-daemon"],
    emptyBox: /Ask Codex to do anything/,
    question: /Would you like to run/,
    compact: "/compact",
    quit: "/quit",
    whenRecorded: ["--dangerously-bypass-hook-trust"],
    told: requests,
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
    state: () => ({}),
    arguments: () => ["-y", "--auth-type", "openai"],
    alone: ["-p", prompt],
    atTerminal: [],
    emptyBox: /Type your message/,
    question: /Yes, allow once/,
    compact: "/compress",
    quit: "/quit",
    told: requests,
  },
];
