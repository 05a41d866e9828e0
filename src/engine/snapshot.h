#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/discover.h"
#include "plan/planner.h"

namespace grapnel {

/// A registry with its planner: what an event holds on to from start to end, whatever is reloaded meanwhile.
struct Snapshot {
  Snapshot(Registry all, Sources from) : registry(std::move(all)), sources(std::move(from)), planner(registry) {
    for (const HookSpec& hook : registry.hooks) {
      if (hook.trust == Trust::Untrusted) untrusted |= hook.events;
    }
  }

  const Registry registry;
  const Sources sources;
  const Planner planner;
  std::bitset<kEventKindCount> untrusted;  ///< events some hook listens to that may not run
};

}  // namespace grapnel
