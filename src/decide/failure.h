#pragma once

#include <string>

#include "grapnel/decision.h"

#include "model/hook_spec.h"

namespace grapnel {

/// Why a hook gave no answer.
enum class Cause : uint8_t { NotStarted, NoSandbox, Crash, Exit, Timeout, Output, Cancelled };

/// A hook failed. That is different from an answer: the failure policy decides what follows.
struct Failure {
  Cause cause = Cause::Exit;
  std::string what;          ///< `timed out after 50 ms`
  std::string warning = {};  ///< what people are told instead of `what`, if the hook has said it itself
};

/// The only place that decides what a failure means: open, ask or closed, depending on the policy of the hook.
///
/// The result has the verdict, its reason, and always a message for people, so that no failure is silent.
Effects effects_of_failure(const HookSpec& hook, const Failure& failure, EventKind kind);

/// The message of a failure: `hook 'x' failed: exit 3`.
std::string failure_text(std::string_view hook, std::string_view what);

/// The effects of a project's guard that was not started because it is not trusted, or that changed while it ran: a
/// person is asked, if the event can ask.
Effects effects_of_distrust(const HookSpec& hook, EventKind kind, const std::string& why);

/// The policy that applies to this cause, and the origin under which the record names it.
OnFailure policy_for(const HookSpec& hook, Cause cause);
Origin origin_of(OnFailure policy);

}  // namespace grapnel
