#pragma once

#include <vector>

#include "engine/event_run.h"

/// The hooks of one stage: first their conditions are checked, then the hooks that are left run side by side.
namespace grapnel {

/// A hook that runs now, with the answer to its condition.
struct ReadyHook {
  uint32_t hook;
  rule::Match match;
};

/// Checks the conditions against the event as it is now, and returns the hooks that run. If a hook's condition holds
/// but the hook may not run, the reason is noted as its fate.
std::vector<ReadyHook> ask_conditions(EventRun& run, const std::vector<uint32_t>& hooks);

/// Keeps the file that made a command hook's condition hold, so that the hook can be told. Not needed if the payload
/// already names the file.
void note_matched_file(EventRun& run, const HookSpec& hook, const rule::Match& match);

/// Runs the hooks: rules answer at once and in process, all others run side by side. Returns the outcomes in the order
/// of `ready`.
std::vector<RunOutcome> run_ready(EventRun& run, const std::vector<ReadyHook>& ready, size_t max_parallel);

/// Lets a rule answer, in process, and writes the answer to `outcome`.
void answer_rule(EventRun& run, const HookSpec& hook, const rule::Match& match, RunOutcome& outcome);

}  // namespace grapnel
