#pragma once

#include <string>

#include "grapnel/decision.h"

#include "model/hook_spec.h"

namespace grapnel {

/// Why a hook gave no answer.
enum class Cause : uint8_t { NotStarted, Crash, Exit, Timeout, Output, Cancelled };

/// A hook that failed: failing is not answering.
struct Failure {
  Cause cause = Cause::Exit;
  std::string what;  ///< `timed out after 50 ms`
};

/// The one place that says what a failure means: open, ask or closed, as the hook's policy has it.
///
/// The result carries the verdict, its reason, and a message for people in every case, so that no failure is silent.
Effects effects_of_failure(const HookSpec& hook, const Failure& failure, EventKind kind);

/// What it means that a guard of the project was not started since it is not trusted, or was changed while it ran:
/// where it may not fail silently, a person decides.
Effects effects_of_distrust(const HookSpec& hook, EventKind kind, const std::string& why);

/// The policy that applies, and how it is named in the record.
OnFailure policy_for(const HookSpec& hook, Cause cause);
Origin origin_of(OnFailure policy);

}  // namespace grapnel
