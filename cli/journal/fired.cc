#include "cli/journal/history.h"

namespace grapnel::cli {

/// Prints an object with a member for each hook. It is for `grapnel list`, which has no SQLite and asks this program.
int run_fired(Invocation& in) {
  auto journal = open_journal(in);
  const auto histories = journal ? read_histories(*journal) : std::unexpected(journal.error());
  if (!histories) {
    in.console.say(printable(histories.error().to_string()));
    return kInternal;
  }
  std::vector<std::pair<std::string, Json>> hooks;
  for (const auto& [name, history] : *histories) {
    hooks.emplace_back(name, Json::object({{"runs", Json::number(static_cast<int64_t>(history.runs))},
                                           {"last", history.last.empty() ? Json::null() : Json::string(history.last)},
                                           {"own_events", Json::number(static_cast<int64_t>(history.own_events))},
                                           {"silent", Json::boolean(history.is_silent())}}));
  }
  in.console.out(Json::object(hooks).dump() + "\n");
  return kOk;
}

}  // namespace grapnel::cli
