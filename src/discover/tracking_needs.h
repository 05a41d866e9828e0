#pragma once

#include <array>
#include <bitset>

#include "model/hook_spec.h"

namespace grapnel {

/// What hooks have the engine do at every event, whether or not they run then.
struct TrackingNeeds {
  bool tracks_changes = false;      ///< somebody asks for the files touched in a turn
  bool counts_compactions = false;  ///< some text is injected anew after each
  /// What patterns are compared with, by field: at which events.
  std::array<std::bitset<kEventKindCount>, kFieldCount> subjects = {};

  void add(const HookSpec& hook);
  bool compares(Field subject, EventKind at) const {
    return subjects[static_cast<size_t>(subject)].test(static_cast<size_t>(at));
  }
};

}  // namespace grapnel
