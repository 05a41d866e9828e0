#pragma once

#include <vector>

#include "engine/event_run.h"
#include "engine/stage_hooks.h"

/// Turns the outcome of a hook into its effects: interprets it, notes the hook's fate, and combines the effects.
///
///   RunOutcome ──interpret──▶ HookAnswer ──▶ fate, effects ──▶ chain end? rewrite? grant? ──▶ Progress
namespace grapnel {

/// Takes the answers of a stage in configured order, and shows each run to the observer. If a hook's files changed
/// while it ran, its answer is not used.
void take_answers(EventRun& run, const std::vector<ReadyHook>& ready, std::vector<RunOutcome>& outcomes);

/// Takes one hook's answer. The effects that a callback returned are moved out of `outcome`.
void take_answer(EventRun& run, uint32_t index, RunOutcome& outcome);

}  // namespace grapnel
