#include <algorithm>
#include <vector>

#include "cli/journal/journal_verbs.h"

namespace grapnel::cli {

namespace {

/// Nobody looks through more; older ones can still be typed.
constexpr size_t kMaxRecent = 200;

/// Adds the id unless it is there already; events of one session, and records of one event, follow each other.
void add_once(std::vector<Json>& ids, std::vector<std::string>& seen, const std::string& id) {
  if (id.empty() || std::ranges::find(seen, id) != seen.end()) return;
  seen.push_back(id);
  ids.push_back(Json::string(id));
}

}  // namespace

/// Prints the ids of the newest events and of their sessions, the newest first.
int run_recent(Invocation& in) {
  auto journal = open_journal(in);
  const auto entries = journal ? journal->find({.limit = kMaxRecent}) : std::unexpected(journal.error());
  if (!entries) {
    in.console.say(printable(entries.error().to_string()));
    return kInternal;
  }
  std::vector<Json> events, sessions;
  std::vector<std::string> seen_events, seen_sessions;
  for (auto entry = entries->rbegin(); entry != entries->rend(); ++entry) {
    add_once(events, seen_events, text_of(entry->record, "id"));
    add_once(sessions, seen_sessions, text_of(entry->record, "session"));
  }
  in.console.out(Json::object({{"events", Json::array(events)}, {"sessions", Json::array(sessions)}}).dump() + "\n");
  return kOk;
}

}  // namespace grapnel::cli
