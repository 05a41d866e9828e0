#include "base/text.h"
#include "cli/agent/slash.h"
#include "cli/hook_text.h"

namespace grapnel::cli {

namespace {

constexpr std::string_view kReconnect = "reconnect";
constexpr size_t kIndent = 4;

void show_server(Conversation& conversation, const agent::McpServerState& server) {
  TerminalUi& ui = conversation.ui;
  const bool is_ready = server.phase == agent::McpServerState::Phase::Ready;
  const std::string state = is_ready ? conversation.console.styled(Style::Green, "connected")
                                     : conversation.console.styled(Style::Red, "not connected");
  ui.say(conversation.console.styled(Style::Bold, printable(server.name)) + "  " + state +
         (server.program.empty() ? "" : ", " + printable(server.program)) +
         (server.version.empty() ? "" : ", protocol " + printable(server.version)));
  const std::string indent(kIndent, ' ');
  ui.say(indent + "at      " + printable(server.address));
  if (!server.source.empty()) ui.say(indent + "from    " + printable(server.source));
  if (!server.failure.empty()) ui.say(indent + "failed  " + printable(server.failure));
  if (!server.tools.empty()) ui.say(indent + "tools   " + printable(text::join(server.tools, ", ")));
  for (const std::string& remark : server.remarks) ui.say(indent + "note    " + printable(remark));
}

void reconnect(Conversation& conversation, const std::string& name) {
  const auto done = conversation.session->reconnect(name, conversation.signals.begin_work());
  conversation.signals.end_work();
  if (conversation.signals.take_interrupt()) return conversation.ui.say("Interrupted.");
  if (!done) return conversation.ui.say(printable(name + ": " + done.error().message));
  for (const agent::McpServerState& server : conversation.session->mcp_servers()) {
    if (server.name == name) conversation.ui.say("Connected, with " + count_text(server.tools.size(), "tool") + ".");
  }
}

}  // namespace

void run_mcp_command(Conversation& conversation, std::string_view arguments) {
  const std::string_view verb = arguments.substr(0, arguments.find(' '));
  const std::string name(text::trim(arguments.substr(verb.size())));
  if (verb == kReconnect && !name.empty()) return reconnect(conversation, name);
  if (!arguments.empty()) return conversation.ui.say("Write /mcp, or /mcp reconnect NAME.");
  const auto servers = conversation.session->mcp_servers();
  if (servers.empty()) return conversation.ui.say("There are no MCP servers.");
  for (const agent::McpServerState& server : servers) show_server(conversation, server);
}

}  // namespace grapnel::cli
