#include "cli/agent/slash.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/text.h"

namespace grapnel::cli {

namespace {

/// Hooks see the end of one session and the start of another.
void run_clear(Conversation& conversation, std::string_view /*arguments*/) {
  conversation.session->clear();
  conversation.ui.say("A new session: " + conversation.session->id());
}

/// Summarising calls the model, so Ctrl-C has to work meanwhile.
void run_compact(Conversation& conversation, std::string_view /*arguments*/) {
  conversation.session->compact(conversation.signals.begin_work());
  conversation.signals.end_work();
  if (conversation.signals.take_interrupt()) conversation.ui.say("Interrupted.");
}

/// What a tool printed, all of it. The number is the one behind the first lines.
void run_show(Conversation& conversation, std::string_view arguments) {
  const std::string* text = conversation.ui.tool_output(arguments);
  if (text != nullptr) return conversation.ui.say(printable_lines(*text));
  conversation.ui.say(arguments.empty()
                          ? "No tool has printed anything."
                          : "There is no output '" + printable(arguments) + "'; /show shows the last one.");
}

/// Two columns; a command that is too long for the first one has its help on a line of its own.
void run_help(Conversation& conversation, std::string_view /*arguments*/) {
  for (const SlashCommand& command : slash_commands()) {
    const std::string left = "/" + std::string(command.name) + " " + std::string(command.usage);
    conversation.ui.say(left + (left.size() < 11 ? std::string(11 - left.size(), ' ') : "\n           ") +
                        std::string(command.help));
  }
  conversation.ui.say("Tab completes commands, Ctrl-C interrupts the agent, Ctrl-D ends the conversation.");
}

/// The prompt's loop ends after this command.
void run_quit(Conversation& conversation, std::string_view /*arguments*/) {
  conversation.is_over = true;
}

/// A new command is a new row; the most useful ones come first in /help.
constexpr auto kCommands = std::to_array<SlashCommand>({
    {"hooks", "[status|list|enable NAME|disable NAME|enable-all|disable-all]",
     "show hooks, or enable and disable them for this conversation", run_hooks_command},
    {"mcp", "[reconnect NAME]", "show MCP servers and their tools, or connect to one again", run_mcp_command},
    {"why", "[ID]", "what hooks did at the last event, and why", run_why_command},
    {"show", "[N]", "all of what a tool printed; the last one, or number N", run_show},
    {"clear", "", "end this session and start a new one", run_clear},
    {"compact", "", "summarise the conversation, to make room", run_compact},
    {"resume", "[ID]", "continue another session, or list them", run_resume_command},
    {"help", "", "show this", run_help},
    {"quit", "", "end the conversation", run_quit},
});

/// For a line that begins with a slash but names no known command. It is not sent to the model, since it is most likely
/// a typing mistake.
std::string explain_unknown(std::string_view name) {
  std::vector<std::string_view> names;
  for (const SlashCommand& command : kCommands) names.push_back(command.name);
  const std::string_view near = text::nearest(name, names);
  return "There is no /" + printable(name) + "; " +
         (near.empty() ? "/help shows all commands." : "did you mean /" + std::string(near) + "?");
}

}  // namespace

std::span<const SlashCommand> slash_commands() {
  return kCommands;
}

void run_slash_command(Conversation& conversation, std::string_view line) {
  const std::string_view text = text::trim(line.substr(1));
  const std::string_view name = text.substr(0, text.find(' '));
  const auto* const found = std::ranges::find(kCommands, name, &SlashCommand::name);
  if (found == kCommands.end()) return conversation.ui.say(explain_unknown(name));
  found->run(conversation, text::trim(text.substr(name.size())));
}

}  // namespace grapnel::cli
