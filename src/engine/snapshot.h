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
  Snapshot(Registry all, std::vector<std::pair<std::string, std::optional<os::FileStamp>>> files)
      : registry(std::move(all)), stamps(std::move(files)), planner(registry) {
    for (const HookSpec& hook : registry.hooks) {
      if (hook.trust == Trust::Untrusted) untrusted |= hook.events;
    }
  }

  const Registry registry;
  const std::vector<std::pair<std::string, std::optional<os::FileStamp>>> stamps;
  const Planner planner;
  std::bitset<kEventKindCount> untrusted;  ///< events some hook listens to that may not run
};

}  // namespace grapnel
