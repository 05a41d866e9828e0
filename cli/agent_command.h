#pragma once

#include <array>

#include "cli/command.h"

/// The verb `agent`, which is in two programs: `grapnel` knows its options, for the help and for completion, and starts
/// `grapnel-agent`, which does the work. They are separate so that the program that is started at every event links no
/// network library.
///
/// The options are the only thing that the two share. A new option is a new row here, which both programs then parse;
/// `cli/agent` reads its value.
namespace grapnel::cli {

/// The name of the program's file.
inline constexpr std::string_view kAgentProgram = "grapnel-agent";

/// The prompt is the only argument; several words have to be quoted.
inline constexpr auto kAgentArguments = std::to_array<ArgumentRow>({
    {"PROMPT", "what to do; without it standard input is read, or on a terminal a conversation starts"},
});

inline constexpr auto kAgentOptions = std::to_array<OptionRow>({
    {"--output", "-o", "text|json|stream-json", "what is printed: the answer, one object, or a line per event",
     ValueKind::Text},
    {"--json", "", "", "the same as --output json"},
    {"--replay", "", "FILE", "play the model's turns from FILE; needs no network", ValueKind::File},
    {"--provider", "", "anthropic|openai|gemini", "whose model (default: the first whose key is set)", ValueKind::Text},
    {"--model", "-m", "NAME", "which model (default: that of a variable, or of Gemini's settings if you act as gemini)",
     ValueKind::Text},
    {"--base-url", "", "URL", "the address of the provider, or of a compatible server", ValueKind::Text},
    {"--approval", "", "default|auto-edit|plan|yolo",
     "when to ask before a tool runs; default: if it writes or executes, auto-edit: if it executes, plan: never (such "
     "tools are refused), yolo: only if a rule or a hook wants it",
     ValueKind::Text},
    {"--as", "-a", "DIALECT", "the agent whose tool names and payloads hooks and the model see", ValueKind::Dialect},
    {"--cwd", "-C", "DIR", "the workspace (default: the current directory)", ValueKind::Directory},
    {"--add-dir", "", "DIR", "another directory that tools may touch (may be repeated)", ValueKind::Directory, true},
    {"--sandbox", "", "[SANDBOX]",
     "run the commands of the shell tool in a sandbox: guard, or a map as in `sandbox:` of a rule (default: no "
     "network, "
     "writes only in the workspace)",
     ValueKind::Text, false, true},
    {"--max-turns", "", "N", "model calls for one prompt (default: 50)", ValueKind::Text},
    {"--hooks", "", "FILE", "also use the hooks of FILE (may be repeated)", ValueKind::File, true},
    {"--dialect", "", "NAME",
     "whose format the --hooks files have (default: detected from their content, and from --as if they fit several)",
     ValueKind::Dialect},
    {"--no-hooks", "", "", "run no hooks"},
    {"--mcp-config", "", "FILE", "also use the MCP servers of FILE (may be repeated)", ValueKind::File, true},
    {"--strict-mcp-config", "", "", "use no other MCP servers than those of --mcp-config"},
    {"--journal", "", "FILE", "append everything that happens to FILE, as lines of JSON", ValueKind::File},
    {"--resume", "-r", "[ID]", "continue that session (the beginning of its id is enough), or the last one",
     ValueKind::AgentSession, false, true},
    {"--session-id", "", "ID", "the id of the new session", ValueKind::Text},
    {"--allow", "", "RULE", "tools that run without asking: `Bash(npm *)` (may be repeated)", ValueKind::Text, true},
    {"--ask", "", "RULE", "tools to always ask about (may be repeated)", ValueKind::Text, true},
    {"--deny", "", "RULE", "tools that never run (may be repeated)", ValueKind::Text, true},
    {"--system-prompt", "", "TEXT", "instead of the built-in one", ValueKind::Text},
    {"--system-prompt-file", "", "FILE", "the same from a file", ValueKind::File},
    {"--image", "-i", "FILE", "a picture that goes with the prompt (may be repeated)", ValueKind::File, true},
    {"--idle-timeout", "", "DURATION", "end a conversation after this time without input: 90s, 10m", ValueKind::Text},
    {"--after-model", "", "chunk|response",
     "what AfterModel hooks see: each piece before it is shown, or the whole (default: response, as gemini chunk)",
     ValueKind::Text},
    {"--context-tokens", "", "N", "how many tokens the model can read; compaction starts before that (default: 128000)",
     ValueKind::Text},
});

/// The row of the verb. `run` differs between the programs: one starts the other, the other is the agent.
constexpr Command agent_command(int (*run)(Invocation& in)) {
  return {
      .name = "agent",
      .summary = "a small agent in which every hook really runs",
      .about =
          "Sends the prompt to a model, runs the tools it asks for and prints its answer; every hook that is "
          "configured runs on the way. Keys and addresses come from the environment: ANTHROPIC_API_KEY, "
          "OPENAI_API_KEY, GEMINI_API_KEY and their _BASE_URL. Without any of them a recorded session is played. The "
          "exit status is 0 when there is an answer or a hook stopped the agent, 1 when the prompt was blocked (in "
          "Gemini's dialect: 0) or something failed, 4 when there is an answer that the hooks at the end of the turn "
          "objected to until they had blocked it too often, 130 when it was interrupted.",
      .arguments = kAgentArguments,
      .options = kAgentOptions,
      .examples = R"(  grapnel agent
  grapnel agent "fix the failing test" --approval auto-edit --allow 'Bash(make *)'
  git diff | grapnel agent --output json
  grapnel agent "hello" --replay session.replay --journal journal.jsonl
)",
      .run = run,
  };
}

}  // namespace grapnel::cli
