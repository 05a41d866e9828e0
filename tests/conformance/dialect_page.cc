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
    {"canonical", "Grapnel's own words", "the format of `grapnel fire` without `--as`, and of C++ callbacks",
     "Every other dialect is translated from and to this one. `grapnel fire` without `--as` reads and prints it, and\n"
     "C++ callbacks see it whatever the agent is. There are no hook files in this dialect: hook files belong to an\n"
     "agent, or are [Agent Hooks](agenthooks.md) or [rule files](grapnel.md). [../fire.md](../fire.md#the-decision)\n"
     "shows what a decision looks like."},
    {"grapnel", "Rule files", "`grapnel.yaml`: conditions and verdicts, for every agent",
     "The hooks of `grapnel.yaml`, Grapnel's own rule file. [../rules.md](../rules.md) explains how to write rules; "
     "this\n"
     "page describes what a command that a rule runs reads and prints."},
    {"gemini", "Gemini CLI", "`.gemini/settings.json`; hooks can also change model requests and the choice of tools",
     "The hooks of Gemini CLI: groups with a matcher in `settings.json`, JSON on standard input and output."},
    {"clawd", "ClawdCode", "`.clawdcode/settings.json`; matchers over tools, paths and commands",
     "The hooks of ClawdCode: groups with a name and a matcher object. Tool hooks run one after another, and each "
     "sees\n"
     "the changes that the earlier ones made to the input."},
    {"blade", "Blade Agent SDK", "`.blade/settings.json` or a session's `hooks` object",
     "The hooks of the Blade Agent SDK. A host passes the `hooks` object of a session to the engine\n"
     "([../embedding.md](../embedding.md)), or keeps it in a file. The SDK's `canUseTool` is\n"
     "[a callback](../embedding.md#asking-before-a-tool-runs)."},
    {"claude", "Claude Code", "`.claude/settings.json`; the format that many agents adopted",
     "The hooks of Claude Code. Many tools write hooks in this format; Grapnel also understands the older and looser\n"
     "spellings that they use."},
    {"codex", "Codex", "`hooks.json` or `[hooks]` in `config.toml`; Claude's format, read more strictly",
     "The hooks of Codex: the format of Claude Code, in a file of its own or in `config.toml`."},
    {"qwen", "Qwen Code", "`.qwen/settings.json`; Claude's events with Gemini's files and tools",
     "The hooks of Qwen Code: Gemini CLI's settings and tools with Claude Code's events and answers."},
    {"kimi", "Kimi CLI", "`[[hooks]]` in `~/.kimi/config.toml`",
     "The hooks of Kimi CLI: one list of entries in its `config.toml`. Kimi's earlier directories with a `HOOK.md` "
     "are\n"
     "[Agent Hooks](agenthooks.md)."},
    {"cursor", "Cursor", "`.cursor/hooks.json`; several events for one tool call",
     "The hooks of Cursor: a flat list of commands for each event. Cursor also runs the hooks of "
     "`.claude/settings.json`."},
    {"copilot", "GitHub Copilot", "`.github/hooks/*.json`; events in camel case",
     "The hooks of Copilot CLI and of Copilot's cloud agent. In the same files, a hook whose event has the name that\n"
     "Claude Code uses belongs to [`copilot-vscode`](copilot-vscode.md)."},
    {"copilot-vscode", "GitHub Copilot in VS Code", "the same files; events have Claude's names",
     "The hooks of VS Code's agents, and of Copilot CLI if an event has the name that Claude Code uses. They are in "
     "the\n"
     "files of [`copilot`](copilot.md)."},
    {"opencode", "OpenCode", "no hook files: what Grapnel's plug-in sends and understands",
     "OpenCode has plug-ins, but no command hooks. This page describes what the plug-in that `grapnel install "
     "opencode`\n"
     "writes sends to Grapnel, and which answers it understands."},
    {"agenthooks", "Agent Hooks", "directories with a `HOOK.md` and a script, for every agent",
     "Directories with a `HOOK.md` and a script that belong to no agent. [../agent-hooks.md](../agent-hooks.md) "
     "explains\n"
     "how to write one; this page is the reference."},
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

std::string link_to_table(const Dialect& dialect) {
  const std::string path = "src/dialect/agents/" + file_of(dialect) + ".cc";
  return "[" + code(path) + "](../../" + path + ")";
}

/// What the tables rest on.
std::string proof_of(const Dialect& dialect) {
  if (!dialect.verified.empty())
    return "The tables were verified with version " + std::string(dialect.verified) + ".\n";
  const bool is_unproven = std::ranges::find(kUnverified, dialect.name) != std::end(kUnverified);
  return is_unproven ? "The tables are *unverified*: they were written from documents and recorded payloads, not "
                       "tested with the agent.\n"
                     : "";
}

std::string write_differences(const Dialect& dialect, const std::vector<Case>& cases) {
  const std::string table = write_deviations_of(dialect.name, cases);
  if (dialect.name == "canonical" || dialect.name == "grapnel") return "";
  if (table.empty()) return "\n## Differences\n\nGrapnel is not known to behave differently from the agent.\n";
  return "\n## Differences\n\nHere Grapnel deliberately behaves differently from the agent. Each row is a test in "
         "`tests/conformance/" +
         std::string(dialect.name) + "/`.\n" + table;
}

}  // namespace

std::string write_dialect_page(const Dialect& dialect, const std::vector<Case>& cases) {
  const Introduction& about = introduction_of(dialect);
  std::string page = "# " + std::string(about.title) + ": " + code(dialect.name) + "\n\n" + std::string(about.text) +
                     "\n\nThis page is generated from " + link_to_table(dialect) +
                     ": `build/dev/tests/conformance/conformance_test --update`.\n" + proof_of(dialect);
  for (const auto part : {write_files, write_entries, write_events, write_inputs, write_outputs, write_process,
                          write_tools, write_names_everywhere}) {
    page += part(dialect);
  }
  return page + write_differences(dialect, cases);
}

std::string write_dialect_index() {
  Table table({"dialect", "agent", "files"});
  for (const Dialect* dialect : all_dialects()) {
    const Introduction& about = introduction_of(*dialect);
    const std::string name(dialect->name);
    table.row({"[" + code(name) + "](" + name + ".md)", std::string(about.title), std::string(about.line)});
  }
  return "# Dialects\n"
         "\n"
         "A dialect is one agent's way of writing hook files, events and answers. `--as` and `--dialect` take the "
         "names\n"
         "in this table. A hook that is written in one dialect also runs for the events of all others: Grapnel "
         "translates\n"
         "the names of events and tools, arguments, payloads and answers.\n" +
         table.text() +
         "\n"
         "C++ callbacks of a host, which include stop hooks and `can_use_tool`, have no files and so no page here: "
         "see\n"
         "[../embedding.md](../embedding.md). [../writing-hooks.md](../writing-hooks.md) explains how to write hooks "
         "that\n"
         "work in several agents.\n"
         "\n"
         "These pages are generated from the tables in `src/dialect/agents/`:\n"
         "`build/dev/tests/conformance/conformance_test --update`.\n";
}

}  // namespace grapnel::conformance
