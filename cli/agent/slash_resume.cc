#include <algorithm>
#include <vector>

#include "cli/agent/slash.h"
#include "cli/session_ids.h"

namespace grapnel::cli {

namespace {

/// The list is for people, who rarely want anything older.
constexpr size_t kShown = 10;

/// The ids of all sessions except the current one, newest first.
std::vector<std::string> other_sessions(const Conversation& conversation) {
  std::vector<std::string> ids = agent_sessions(conversation.options.transcripts);
  std::erase(ids, conversation.session->id());
  return ids;
}

void show_sessions(Conversation& conversation) {
  const auto ids = other_sessions(conversation);
  if (ids.empty()) return conversation.ui.say("There is no other session.");
  conversation.ui.say("/resume ID continues one of these sessions (newest first):");
  for (size_t i = 0; i < std::min(ids.size(), kShown); ++i) conversation.ui.say("  " + printable(ids[i]));
}

}  // namespace

void run_resume_command(Conversation& conversation, std::string_view arguments) {
  if (arguments.empty()) return show_sessions(conversation);
  // Checked before the current session is closed, so that a wrong id changes nothing.
  const auto id = id_meant_by(std::string(arguments), other_sessions(conversation));
  if (!id) return conversation.ui.say(id.error().message);
  if (id->empty()) {
    return conversation.ui.say("There is no other session '" + printable(arguments) + "'; /resume shows them.");
  }
  // The current session ends before the other one starts, so that hooks never see two at the same time. If the other
  // one cannot start, there is none to go back to, and the conversation is over.
  conversation.session->close("other");
  conversation.options.resume = true;
  conversation.options.session_id = *id;
  auto session = agent::create_session(conversation.options);
  if (!session) {
    conversation.ui.say(printable(session.error().to_string()));
    conversation.is_over = true;
    return;
  }
  conversation.session = std::move(*session);
  conversation.ui.say("Continuing " + conversation.session->id());
}

}  // namespace grapnel::cli
