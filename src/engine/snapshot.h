#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/discover.h"
#include "plan/planner.h"
#include "rule/answer.h"

namespace grapnel {

/// A registry with its planner: what an event holds on to from start to end, whatever is reloaded meanwhile.
struct Snapshot {
  Snapshot(Registry all, Sources from) : registry(std::move(all)), sources(std::move(from)), planner(registry) {
    for (const HookSpec& hook : registry.hooks) {
      if (hook.trust == Trust::Untrusted) untrusted |= hook.events;
      tracks_changes |= hook.when && rule::asks_for_changes(*hook.when);
      const auto* rule = std::get_if<RuleHandler>(&hook.handler);
      counts_compactions |= rule != nullptr && rule->inject && rule->inject->how == Inject::How::OncePerCompaction;
    }
  }

  const Registry registry;
  const Sources sources;
  const Planner planner;
  bool tracks_changes = false;             ///< some hook asks for the files touched in a turn
  bool counts_compactions = false;         ///< some text is injected anew after each
  std::bitset<kEventKindCount> untrusted;  ///< events some hook listens to that may not run
};

}  // namespace grapnel
