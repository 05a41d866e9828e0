#pragma once

#include <optional>

#include "engine/event_run.h"

/// The first steps of an event for which hooks are planned: open its session, and see whether it was decided before.
namespace grapnel {

/// Reads the session's state. One that cannot be read is said aloud, and the event goes on without it.
void open_session(EventRun& run);

/// A decision that is there already, with all planned hooks skipped: of the same call (session/execution_guard.h), or
/// of the same call as the agent told it by another route (session/call_dedupe.h). Of what another route decided only
/// the verdict is said again; the rest has been told. Nothing: this event decides.
std::optional<Decision> recall_earlier(EventRun& run, const Plan& plan);

}  // namespace grapnel
