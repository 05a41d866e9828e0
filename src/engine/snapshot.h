#pragma once

#include <memory>
#include <utility>

#include "discover/discover.h"
#include "plan/planner.h"
#include "protect/call_review.h"

/// The set of hooks that an event works with. A change of the hooks never alters a snapshot but makes a new one.
namespace grapnel {

/// A registry and its planner, which never change. An event keeps its snapshot from start to end, even if the hooks are
/// reloaded meanwhile.
struct Snapshot {
  /// Builds the planner and sums up what the hooks need, so that a published snapshot is complete.
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

  const std::shared_ptr<const Discovered> discovered;  // owns the two below
  const Registry& registry;
  const Sources& sources;
  const Planner planner;
  /// What all hooks together need to have noted about every event. Includes hooks that discovery left out.
  TrackingNeeds demands;
  std::unique_ptr<const protect::CallReview> protection;  ///< null: off
  size_t untrusted_count = 0;
  OnFailure on_broken_config = OnFailure::Ask;  ///< what a broken file without a good version does to tool calls
};

}  // namespace grapnel
