#pragma once

#include <vector>

#include "engine/event_run.h"

/// The hooks of one stage of the plan: asked whether their condition holds, then run beside each other.
namespace grapnel {

/// A hook that is to run now, and what its condition found.
struct ReadyHook {
  uint32_t hook;
  rule::Match match;
};

/// Asks the hooks' conditions about the event as it is now. Returns those that run; what keeps one of the others from
/// running although its condition holds is noted as its fate.
std::vector<ReadyHook> ask_conditions(EventRun& run, const std::vector<uint32_t>& hooks);

/// Keeps the file the hook's condition was about, for a hook that is told which.
void note_matched_file(EventRun& run, const HookSpec& hook, const rule::Match& match);

/// Runs them: rules answer at once, the others run side by side. Outcomes in the order of `ready`.
std::vector<RunOutcome> run_ready(EventRun& run, const std::vector<ReadyHook>& ready, size_t max_parallel);

/// What a rule answers, in process.
void answer_rule(EventRun& run, const HookSpec& hook, const rule::Match& match, RunOutcome& outcome);

}  // namespace grapnel
