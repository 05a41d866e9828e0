#pragma once

#include <memory>
#include <utility>

#include "discover/discover.h"
#include "plan/planner.h"
#include "protect/call_review.h"

namespace grapnel {

/// A registry with its planner: what an event holds on to from start to end, whatever is reloaded meanwhile.
struct Snapshot {
  explicit Snapshot(std::shared_ptr<const Discovered> from)
      : discovered(std::move(from)),
        registry(discovered->registry),
        sources(discovered->sources),
        planner(registry),
        demands(discovered->demands_left_out) {
    for (const HookSpec& hook : registry.hooks) {
      untrusted_count += hook.trust == Trust::Untrusted ? 1 : 0;
      demands.add(hook);
    }
  }

  const std::shared_ptr<const Discovered> discovered;
  const Registry& registry;
  const Sources& sources;
  const Planner planner;
  TrackingNeeds demands;
  std::unique_ptr<const protect::CallReview> protection;  ///< null: off
  size_t untrusted_count = 0;
};

}  // namespace grapnel
