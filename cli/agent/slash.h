#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/agent/signals.h"
#include "cli/agent/terminal_ui.h"
#include "grapnel_agent/agent.h"

/// The commands of a conversation: lines that begin with `/`. They form a table, one row per command.
namespace grapnel::cli {

/// The state that commands work on. It owns the session, which commands may replace.
struct Conversation {
  agent::AgentOptions options;  ///< for starting another session
  std::unique_ptr<agent::Session> session;
  TerminalUi& ui;
  Console& console;
  Signals& signals;
  const Environment& env;
  bool is_over = false;
};

/// A row of the table. The first word after the slash selects it; `run` gets the rest of the line, trimmed.
struct SlashCommand {
  std::string_view name;   ///< `hooks`
  std::string_view usage;  ///< the arguments, for the help text
  std::string_view help;
  void (*run)(Conversation& conversation, std::string_view arguments);
};

/// All commands, in the order in which /help shows them.
std::span<const SlashCommand> slash_commands();

/// Runs the command, or says what is wrong with the line. `line` begins with the slash.
void run_slash_command(Conversation& conversation, std::string_view line);

/// The lines that begin with this one and make sense, for the tab key. Empty for a line that is no command.
std::vector<std::string> complete_slash_command(const Conversation& conversation, std::string_view line);

/// `/hooks [status|list|enable NAME|disable NAME|enable-all|disable-all]`.
void run_hooks_command(Conversation& conversation, std::string_view arguments);

/// `/why [ID]`: shows what every hook did at an event of this session; by default, the latest event that had hooks.
void run_why_command(Conversation& conversation, std::string_view arguments);

/// `/mcp [reconnect NAME]`: shows the MCP servers and their tools, or connects to one again.
void run_mcp_command(Conversation& conversation, std::string_view arguments);

/// `/resume [ID]`: lists other sessions, or continues one.
void run_resume_command(Conversation& conversation, std::string_view arguments);

}  // namespace grapnel::cli
