#pragma once

#include <optional>

#include "engine/event_run.h"

/// The first steps of an event that some hook wants: read its session, and find out whether it was decided before.
namespace grapnel {

/// Reads the session's state, and the key of the execution guard if a guarded hook is planned. If the state cannot be
/// read, the user gets a message and the event goes on without it.
void open_session(EventRun& run, const Plan& plan);

/// The decision of an earlier event about the same call, with all planned hooks skipped: a bridged agent reports the
/// call by a second route (session/call_dedupe.h). Only the verdict and its reasons are repeated, because the agent
/// already received everything else by the first route. Returns nullopt when this event has to be decided.
std::optional<Decision> recall_earlier(EventRun& run, const Plan& plan);

/// If the host reports a call with the same id again, takes over what guarded hooks said the first time
/// (session/execution_guard.h). They are then skipped; all other hooks run.
void recall_guarded(EventRun& run);

}  // namespace grapnel
