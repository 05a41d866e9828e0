#include "conformance/dialect_page.h"

#include <algorithm>

#include "conformance/markdown.h"
#include "conformance/pages.h"

namespace grapnel::conformance {

namespace {

struct Introduction {
  std::string_view dialect;
  std::string_view title;
  std::string_view line;  ///< for the index
  std::string_view text;
};

constexpr Introduction kIntroductions[] = {
    {"canonical", "Grapnel's own words", "what `grapnel fire` speaks without `--as`, and C++ callbacks always",
     "Every other dialect is translated from and to this one. `grapnel fire` without `--as` reads and prints it, and\n"
     "C++ callbacks see it, whatever the agent speaks. No hook files are written in it: hook files belong to agents, "
     "or\n"
     "are [Agent Hooks](agenthooks.md) or [rules](grapnel.md). What a decision looks like is in\n"
     "[../fire.md](../fire.md#the-decision)."},
    {"grapnel", "Rule files", "`grapnel.yaml`: conditions and verdicts, for every agent",
     "Hooks of `grapnel.yaml`, the native rule file. How to write rules is on a page of its own,\n"
     "[../rules.md](../rules.md); here is what a command that a rule runs reads and prints."},
    {"gemini", "Gemini CLI", "`.gemini/settings.json`; model requests and tool choice can be changed, too",
     "The hooks of Gemini CLI: groups with a matcher in `settings.json`, JSON on standard input and output."},
    {"clawd", "ClawdCode", "`.clawdcode/settings.json`; matchers over tools, paths and commands",
     "The hooks of ClawdCode: groups with a name and a matcher object, tool hooks one after another on an input that\n"
     "adds up."},
    {"blade", "Blade Agent SDK", "`.blade/settings.json` or a session's `hooks` object",
     "The hooks of the Blade Agent SDK. A host hands the `hooks` object of a session to the engine\n"
     "([../embedding.md](../embedding.md)), or keeps it in a file. The SDK's `canUseTool` is\n"
     "[a callback](../embedding.md#asking-before-a-tool-runs)."},
    {"claude", "Claude Code", "`.claude/settings.json`; the contract that many agents took over",
     "The hooks of Claude Code. Many tools write hooks in this format; Grapnel also understands the older and looser\n"
     "spellings that are found in them."},
    {"codex", "Codex", "`hooks.json` or `[hooks]` in `config.toml`; Claude's contract, more strictly",
     "The hooks of Codex: those of Claude Code in a file of their own or in `config.toml`."},
    {"qwen", "Qwen Code", "`.qwen/settings.json`; Claude's events on Gemini's files and tools",
     "The hooks of Qwen Code: Gemini CLI's settings and tools with Claude Code's events and answers."},
    {"kimi", "Kimi CLI", "`[[hooks]]` in `~/.kimi/config.toml`",
     "The hooks of Kimi CLI: one list of entries in its `config.toml`. Kimi's earlier directories with a `HOOK.md` "
     "are\n"
     "[Agent Hooks](agenthooks.md)."},
    {"cursor", "Cursor", "`.cursor/hooks.json`; several events for one tool call",
     "The hooks of Cursor: a flat list of commands for each event. It also runs those of `.claude/settings.json`."},
    {"copilot", "GitHub Copilot", "`.github/hooks/*.json`; events in camel case",
     "The hooks of Copilot CLI and Copilot's cloud agent. In the same files an event spelled in Claude's way is a hook "
     "of\n"
     "[`copilot-vscode`](copilot-vscode.md)."},
    {"copilot-vscode", "GitHub Copilot, the way of VS Code", "the same files; Claude's names of events",
     "The hooks of VS Code's agents, and of Copilot CLI where an event is spelled in Claude's way. They stand in the "
     "files\n"
     "of [`copilot`](copilot.md)."},
    {"opencode", "OpenCode", "no hook files: what Grapnel's plug-in tells and understands",
     "OpenCode has plug-ins and no command hooks. This is what the plug-in that `grapnel install opencode` writes "
     "tells\n"
     "Grapnel, and which answers it understands."},
    {"agenthooks", "Agent Hooks", "directories with a `HOOK.md` and a script, for every agent",
     "Directories with a `HOOK.md` and a script, owned by no agent. How to write one is on a page of its own,\n"
     "[../agent-hooks.md](../agent-hooks.md); here is the reference."},
};

/// Agents that people use and that could not be run here.
constexpr std::string_view kUnverified[] = {"kimi", "cursor", "copilot", "copilot-vscode", "opencode"};

const Introduction& introduction_of(const Dialect& dialect) {
  static constexpr Introduction kNone{"", "a dialect without an introduction", "", ""};
  const auto found = std::ranges::find(kIntroductions, dialect.name, &Introduction::dialect);
  return found == std::end(kIntroductions) ? kNone : *found;
}

std::string file_of(const Dialect& dialect) {
  std::string name(dialect.name);
  std::ranges::replace(name, '-', '_');
  return name;
}

/// What the tables rest on.
std::string proof_of(const Dialect& dialect) {
  if (!dialect.verified.empty()) return "It was proven with version " + std::string(dialect.verified) + ".\n";
  const bool is_unproven = std::ranges::find(kUnverified, dialect.name) != std::end(kUnverified);
  return is_unproven ? "It is *unverified*: from documents and recorded payloads, not from a run of the agent.\n" : "";
}

std::string write_differences(const Dialect& dialect, const std::vector<Case>& cases) {
  const std::string table = write_deviations_of(dialect.name, cases);
  if (dialect.name == "canonical" || dialect.name == "grapnel") return "";
  if (table.empty()) return "\n## What Grapnel does differently\n\nNothing that is known.\n";
  return "\n## What Grapnel does differently\n\nEach row is a test in `tests/conformance/" + std::string(dialect.name) +
         "/`.\n" + table;
}

}  // namespace

std::string write_dialect_page(const Dialect& dialect, const std::vector<Case>& cases) {
  const Introduction& about = introduction_of(dialect);
  std::string page = "# " + std::string(about.title) + ": " + code(dialect.name) + "\n\n" + std::string(about.text) +
                     "\n\nThis page is generated from `src/dialect/agents/" + file_of(dialect) +
                     ".cc`: `build/dev/tests/conformance/conformance_test --update`.\n" + proof_of(dialect);
  for (const auto part : {write_files, write_entries, write_events, write_inputs, write_outputs, write_process,
                          write_tools, write_names_everywhere}) {
    page += part(dialect);
  }
  return page + write_differences(dialect, cases);
}

std::string write_dialect_index() {
  Table table({"dialect", "of", ""});
  for (const Dialect* dialect : all_dialects()) {
    const Introduction& about = introduction_of(*dialect);
    const std::string name(dialect->name);
    table.row({"[" + code(name) + "](" + name + ".md)", std::string(about.title), std::string(about.line)});
  }
  return "# Dialects\n"
         "\n"
         "A dialect is one agent's way of writing hook files, events and answers. `--as` and `--dialect` take these\n"
         "names. A hook written in one runs for events of every other: names of events and tools, arguments, payloads\n"
         "and answers are translated.\n" +
         table.text() +
         "\n"
         "Two kinds of hooks have no files and so no page: C++ callbacks of a host, among them stop hooks and\n"
         "`can_use_tool` ([../embedding.md](../embedding.md)). How to write hooks that work in several agents is in\n"
         "[../writing-hooks.md](../writing-hooks.md).\n"
         "\n"
         "These pages are generated from the tables in `src/dialect/agents/`:\n"
         "`build/dev/tests/conformance/conformance_test --update`.\n";
}

}  // namespace grapnel::conformance
