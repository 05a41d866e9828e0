#pragma once

#include "engine/event_run.h"

namespace grapnel {

/// The end of an event: what depends on the whole (decide/combine.h: finalize), who decided and why, what its session
/// has to remember, and what other routes of the same call take over. Takes the effects and the fates out of the run.
Decision finish_event(EventRun& run);

}  // namespace grapnel
