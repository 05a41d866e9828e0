#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/detach.h"
#include "engine/event_run.h"

/// Hooks with `debounce`, and the files for `{files}`.
///
/// A hook with `debounce` does not run when its condition holds: it notes the files and waits (session/deferred.h).
/// With `debounce: turn` it runs when the turn ends, in the event that says so, before all other hooks of that event: a
/// gate such as `make test` then sees the formatted files. With a time it runs in the background, when no further event
/// of its own has come for so long.
namespace grapnel {

/// Finds the files for `{files}` of a hook that may run now. Returns why it does not run after all: it waits, or there
/// is no file for it.
std::optional<std::string> reason_to_wait(EventRun& run, uint32_t index);

/// The hooks that have to run at this event for what they collected earlier.
std::vector<uint32_t> due_hooks(const Snapshot& snapshot, const Event& event, const Plan& plan, SessionStore& sessions);

/// Runs them and takes their answers. Those that the event does not wait for are left to `detach_hooks`.
void run_due(EventRun& run, const std::vector<uint32_t>& due);

/// A hook whose answer comes in another event than those that it was written for is understood as in its own event: in
/// a formatter's exit status, 1 is a failure and not an objection to the end of the turn.
EventKind kind_for(const EventRun& run, const HookSpec& hook);

/// Only the end of a turn can be objected to; at the other events the objection becomes context for the model.
void soften_late_answer(const EventRun& run, const HookSpec& hook, Effects& effects);

/// Those of the files that still exist.
std::vector<std::string> existing_files(const std::set<std::string>& files);

/// Waits until it has been quiet for long enough; then returns the files. Nothing if another run has taken them.
std::optional<std::set<std::string>> wait_for_quiet(const QuietWait& wait, SessionStore& sessions);

}  // namespace grapnel
