#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "cli/agent/signals.h"
#include "cli/agent/terminal_ui.h"
#include "grapnel_agent/agent.h"

/// What a line that begins with `/` does in a conversation: a table, one row a command.
namespace grapnel::cli {

/// What commands work on.
struct Conversation {
  agent::AgentOptions options;  ///< to start a session anew
  std::unique_ptr<agent::Session> session;
  TerminalUi& ui;
  Console& console;
  Signals& signals;
  const Environment& env;
  bool is_over = false;
};

struct SlashCommand {
  std::string_view name;   ///< `hooks`
  std::string_view usage;  ///< what may follow
  std::string_view help;
  void (*run)(Conversation& conversation, std::string_view arguments);
};

std::span<const SlashCommand> slash_commands();

/// Does what the line says, or says what is wrong with it.
void run_slash_command(Conversation& conversation, std::string_view line);

/// `/hooks [status|list|enable NAME|disable NAME|enable-all|disable-all]`.
void run_hooks_command(Conversation& conversation, std::string_view arguments);

/// `/why [ID]`: what became of every hook at an event of this session; the newest one that hooks had a part in.
void run_why_command(Conversation& conversation, std::string_view arguments);

/// `/resume [ID]`: shows sessions, or goes on with one.
void run_resume_command(Conversation& conversation, std::string_view arguments);

}  // namespace grapnel::cli
