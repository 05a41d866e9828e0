#pragma once

#include <span>

#include "engine/event_run.h"

/// Nothing gets past a rule by being rewritten behind it. These steps come when every stage has run and the event has
/// its final form; they use the list of guards the plan made, and plan nothing.
namespace grapnel {

/// When hooks changed the input or the prompt: asks the guards, rules that deny or ask, about what came of it. Also
/// those whose condition did not hold for the event as the host told it. Only their verdict and reason count: a rule
/// does not rewrite again what it has rewritten.
void recheck_guards(EventRun& run, std::span<const uint32_t> guards);

/// Folds in what rules allowed. An allow counts for the input it was given for, or for one the rule allows as well.
void settle_grants(EventRun& run);

}  // namespace grapnel
