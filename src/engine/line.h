#pragma once

#include <optional>

#include "engine/detach.h"
#include "engine/event_run.h"

/// The straight line of one event: plan → ask → run → interpret → combine → finalize → record.
///
/// Answers are folded in configured order, which is the order of stages and of hooks in a stage. A sequential hook sees
/// the event as rewritten so far. Where a dialect's row says a verdict ends the chain, later hooks of that dialect do
/// not start; hooks of other dialects do, since their Deny could still outrank it.
///
/// A hook's condition is asked when its stage comes, about the event as it is then. When hooks changed the input, rules
/// that deny or ask are asked once more about what came of it, and what a rule allowed before a later change counts
/// only if the rule still allows it: nothing gets past a rule by being rewritten behind it.
namespace grapnel {

/// Walks the event along the line. The snapshot is what discovery found. Hooks that nobody waits for are left in
/// `background`, to be started by the caller.
Decision walk_line(const Snapshot& snapshot, const Event& event, const LineContext& context,
                   std::optional<BackgroundRun>& background);

}  // namespace grapnel
