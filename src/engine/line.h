#pragma once

#include <vector>

#include "engine/detach.h"
#include "engine/event_run.h"

/// This folder takes one event from the host's call to the decision. `engine.cc` owns everything that outlives an event
/// (the hooks, the workers, the sessions, the threads); `line.cc` walks one event through the stages:
///
///   plan → ask conditions → run → interpret → combine → finalize → record
///
/// Terms:
///  - A *snapshot* (snapshot.h) is the set of hooks that one event works with. A reload makes a new one.
///  - An `EventRun` (event_run.h) is one event on its way. Every step is a function that reads and changes it.
///  - A *stage* is a group of hooks that run side by side. The planner makes the stages.
///  - The *fate* of a hook is what happened to it: it ran, failed, was skipped, or runs in the background.
///
/// The rules of the line:
///  - Answers are combined in configured order: stage by stage, and within a stage in the order of the hooks. So the
///    result does not depend on which hook finishes first.
///  - A later stage sees the event as the earlier stages rewrote it.
///  - A dialect's table may say that a verdict ends the chain. Then later hooks of that dialect do not start. Hooks of
///    other dialects still do, because their Deny could outrank that verdict.
///  - A hook's condition is checked when its stage begins, against the event as it is at that moment.
///  - When hooks changed the input, every rule that denies or asks is checked again against the final input. A rule's
///    allow applies only if the rule also allows the final input. So no rewrite can get past a rule.
namespace grapnel {

/// Walks one event along the line and returns the decision. Async hooks are prepared but not started: they are put into
/// `background`, and the caller starts them.
Decision walk_line(const Snapshot& snapshot, const Event& event, const LineContext& context,
                   std::vector<BackgroundRun>& background);

}  // namespace grapnel
