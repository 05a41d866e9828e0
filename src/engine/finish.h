#pragma once

#include "engine/event_run.h"

namespace grapnel {

/// Makes the decision from the combined effects: finalizes them (decide/combine.h), finds out which hook decided and
/// where the verdict comes from, saves the session, and shares the decision with other reports of the same call.
/// Moves the effects and the fates out of `run`.
Decision finish_event(EventRun& run);

}  // namespace grapnel
