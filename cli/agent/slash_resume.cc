#include <algorithm>
#include <filesystem>
#include <vector>

#include "cli/agent/slash.h"

namespace grapnel::cli {

namespace fs = std::filesystem;

namespace {

/// The list is for people, who rarely want anything older.
constexpr size_t kShown = 10;

/// The ids of all sessions except the current one, newest first.
std::vector<std::string> other_sessions(const Conversation& conversation) {
  struct Found {
    fs::file_time_type changed;
    std::string id;
  };
  std::vector<Found> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(conversation.options.transcripts, error)) {
    std::string id = entry.path().stem();
    // The directory belongs to the agent, but other files in it do no harm.
    if (entry.path().extension() != ".jsonl" || id == conversation.session->id()) continue;
    found.push_back({entry.last_write_time(error), std::move(id)});
  }
  std::ranges::sort(found, std::ranges::greater(), &Found::changed);
  std::vector<std::string> ids;
  for (Found& one : found) ids.push_back(std::move(one.id));
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
  const auto ids = other_sessions(conversation);
  // Checked before the current session is closed, so that a wrong id changes nothing.
  if (std::ranges::find(ids, arguments) == ids.end()) {
    return conversation.ui.say("There is no other session '" + printable(arguments) + "'; /resume shows them.");
  }
  // The current session ends before the other one starts, so that hooks never see two at the same time. If the other
  // one cannot start, there is none to go back to, and the conversation is over.
  conversation.session->close("other");
  conversation.options.resume = true;
  conversation.options.session_id = arguments;
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
