// How each agent is run without a network and without a person, and where its hooks are written.
import { join } from "node:path";
import { fakeResponses } from "./model.mjs";

export const cache = join(process.env.XDG_CACHE_HOME ?? join(process.env.HOME, ".cache"), "grapnel", "agents");

const claudeEvents = ["SessionStart", "SessionEnd", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure",
  "PermissionRequest", "Notification", "Stop", "SubagentStart", "SubagentStop", "PreCompact", "PostCompact"];

/// `timeout`: one second in the unit of the settings. `files`: what its home needs. `hooksFile`: of the user.
export const agents = [
  {
    name: "claude",
    events: claudeEvents,
    second: 1,
    hooksFile: ".claude/settings.json",
    settings: { model: "claude-sonnet-4-5" },
    environment: (port) => ({
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
      ANTHROPIC_API_KEY: "none",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      CLAUDE_CODE_MAX_RETRIES: "0",
      DISABLE_TELEMETRY: "1",
      DISABLE_ERROR_REPORTING: "1",
      DISABLE_UPDATES: "1",
    }),
    arguments: ["-p", "Do the work.", "--output-format", "text", "--allowedTools", "Bash", "Write"],
  },
  {
    name: "gemini",
    events: ["SessionStart", "SessionEnd", "BeforeAgent", "AfterAgent", "BeforeModel", "AfterModel", "BeforeToolSelection",
      "BeforeTool", "AfterTool", "PreCompress", "Notification"],
    second: 1000,
    hooksFile: ".gemini/settings.json",
    settings: { security: { auth: { selectedType: "gemini-api-key" } }, privacy: { usageStatisticsEnabled: false } },
    environment: () => ({ GEMINI_API_KEY: "none", GEMINI_CLI_TRUST_WORKSPACE: "true" }),
    script: ["fake-responses.jsonl", fakeResponses],
    arguments: ["-p", "Do the work.", "--approval-mode", "yolo", "--model", "gemini-2.5-pro", "--fake-responses", "../fake-responses.jsonl"],
  },
  {
    name: "codex",
    events: ["SessionStart", "SessionEnd", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PermissionRequest", "Stop",
      "SubagentStart", "SubagentStop", "PreCompact", "PostCompact"],
    second: 1,
    hooksFile: ".codex/hooks.json",
    settings: {},
    files: (port) => ({
      ".codex/config.toml": `model = "gpt-5.5"
model_provider = "script"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[model_providers.script]
name = "script"
base_url = "http://127.0.0.1:${port}/v1"
wire_api = "responses"
`,
    }),
    environment: () => ({}),
    arguments: ["exec", "--skip-git-repo-check", "Do the work."],
    whenRecorded: ["--dangerously-bypass-hook-trust"],
  },
  {
    name: "qwen",
    events: claudeEvents,
    second: 1000,
    hooksFile: ".qwen/settings.json",
    settings: { privacy: { usageStatisticsEnabled: false } },
    environment: (port) => ({
      OPENAI_API_KEY: "none",
      OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
      OPENAI_MODEL: "scripted",
    }),
    arguments: ["-y", "--auth-type", "openai", "-p", "Do the work."],
  },
];
