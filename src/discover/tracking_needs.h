#pragma once

#include <array>
#include <bitset>

#include "model/hook_spec.h"

namespace grapnel {

/// What the engine must keep track of at every event because some hook needs it later, even if no hook runs now.
struct TrackingNeeds {
  bool tracks_changes = false;      ///< some hook asks which files changed in a turn
  bool guards_calls = false;        ///< some hook is under the execution guard
  bool counts_compactions = false;  ///< some hook injects its text again after each compaction
  /// For each field, the events at which some pattern is compared with it.
  std::array<std::bitset<kEventKindCount>, kFieldCount> subjects = {};

  /// Adds the needs of one hook; call it for every hook, including those that are not read for this event.
  void add(const HookSpec& hook);
  /// Whether some hook compares a pattern with that field at that event.
  bool compares(Field subject, EventKind at) const {
    return subjects[static_cast<size_t>(subject)].test(static_cast<size_t>(at));
  }
};

}  // namespace grapnel
