#pragma once

#include "grapnel/engine.h"

#include "engine/conditions.h"
#include "engine/snapshot.h"
#include "model/run_outcome.h"

/// Converts between the engine's types and those of the public API.
namespace grapnel {

/// A hook of the registry as the public API shows it.
HookInfo info_of(const HookSpec& hook);

/// For every hook: would it run for this event, in which stage, or why not. Rewrites by hooks are not foreseen.
std::vector<HookExplanation> explain_event(const Snapshot& snapshot, const Event& event, Conditions& conditions);

/// How a hook was started, and how many bytes it read and wrote.
HookTrace trace_of(const RunOutcome& outcome);
/// What was done about its processes, with what they said that they were refused.
HookContainment containment_of(const RunOutcome& outcome);

/// A run as observers see it. The caller adds the event and the input.
HookRun run_of(const HookSpec& hook, const RunOutcome& outcome, HookFate fate);

/// The fate of a hook that did not run.
HookFate skipped_fate(const HookSpec& hook, std::string why);

/// A callback as a hook of the canonical dialect. Fails: BadConfig when it has no name, no function or no event.
Result<HookSpec> spec_of_callback(const CallbackHook& callback);

}  // namespace grapnel
