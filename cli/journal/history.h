#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/journal/journal_verbs.h"
#include "model/registry.h"

/// What the journal knows about each hook, over all events. A hook that never runs is hard to notice; these counts show
/// it.
namespace grapnel::cli {

/// A hook that did not run in this many events of its kinds is reported as silent: its matcher is probably wrong.
inline constexpr size_t kManyEvents = 20;

/// The history of one hook.
struct HookHistory {
  std::string name;
  size_t runs = 0;  ///< including failed ones; a detached hook counts when it has ended
  size_t skipped = 0;
  std::string last;              ///< when it last ran, or ""
  size_t own_events = 0;         ///< events of the kinds it listens to, counted while it was configured
  std::string last_event_id;     ///< the id of the newest of these events
  std::optional<HookSpec> spec;  ///< its latest configuration

  /// Whether the hook is enabled and never ran, although there were many events it could have run at.
  bool is_silent() const { return runs == 0 && own_events >= kManyEvents && spec && spec->enabled; }
};

/// The history of every hook that is in a record or was configured at a recorded event. Fails: System.
Result<std::map<std::string, HookHistory>> read_histories(JournalReader& journal);

/// `never fired in 37 events of its kind`.
std::string silence_text(const HookHistory& history);

}  // namespace grapnel::cli
