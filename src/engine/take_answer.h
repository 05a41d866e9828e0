#pragma once

#include <vector>

#include "engine/event_run.h"
#include "engine/stage_hooks.h"

/// From a hook's outcome to what it changes: interpret, write down the fate, fold the effects.
///
///   RunOutcome ──interpret──▶ HookAnswer ──▶ fate, effects ──▶ chain end? rewrite? grant? ──▶ Progress
namespace grapnel {

/// Takes the answers of a stage, in configured order, and shows each to the observer. The answer of a hook whose files
/// changed while it ran is not used.
void take_answers(EventRun& run, const std::vector<ReadyHook>& ready, std::vector<RunOutcome>& outcomes);

/// Takes one hook's answer. What a callback returned is moved out of the outcome.
void take_answer(EventRun& run, uint32_t index, RunOutcome& outcome);

}  // namespace grapnel
