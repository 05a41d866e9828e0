#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/journal/journal_verbs.h"
#include "model/registry.h"

/// What the journal knows of hooks, event after event.
namespace grapnel::cli {

/// Without a run in so many of its events a hook may well be one that never does what it is for.
inline constexpr size_t kManyEvents = 20;

/// One hook, all events together.
struct HookHistory {
  std::string name;
  size_t runs = 0;  ///< also failed and detached
  size_t skipped = 0;
  std::string last;              ///< when it last ran, or ""
  size_t own_events = 0;         ///< events of its kinds while it was configured
  std::string last_event_id;     ///< of the newest of these
  std::optional<HookSpec> spec;  ///< as it was configured last

  /// It is on, there was much it might have been for, and it never ran.
  bool is_silent() const { return runs == 0 && own_events >= kManyEvents && spec && spec->enabled; }
};

/// Every hook that is on record or was configured at an event on record. Fails: System.
Result<std::map<std::string, HookHistory>> read_histories(JournalReader& journal);

/// `never fired in 37 of its events`.
std::string silence_text(const HookHistory& history);

}  // namespace grapnel::cli
