#include "decide/failure.h"

#include "decide/capability.h"

namespace grapnel {

OnFailure policy_for(const HookSpec& hook, Cause cause) {
  // A machine that cannot contain a hook must not become a way around it, whatever the agent does after other failures.
  if (cause == Cause::NoSandbox) return hook.failure.on_no_sandbox;
  // Some agents configure timeouts and unreadable output separately from other failures.
  if (cause == Cause::Timeout) return hook.failure.on_timeout;
  return cause == Cause::Output ? hook.failure.on_output.value_or(hook.failure.on_failure) : hook.failure.on_failure;
}

Origin origin_of(OnFailure policy) {
  switch (policy) {
    case OnFailure::Open:
      return Origin::FailOpen;
    case OnFailure::Ask:
      return Origin::FailAsk;
    case OnFailure::Closed:
      return Origin::FailClosed;
  }
  return Origin::FailOpen;
}

std::string failure_text(std::string_view hook, std::string_view what) {
  return "hook '" + std::string(hook) + "' failed: " + std::string(what);
}

Effects effects_of_failure(const HookSpec& hook, const Failure& failure, EventKind kind) {
  Effects effects;
  const std::string text = failure_text(hook.name, failure.what);
  effects.messages.push_back({hook.name, failure.warning.empty() ? text : failure.warning});
  // The event itself was cancelled, so nobody waits for a verdict. It only has to be visible.
  if (failure.cause == Cause::Cancelled) return effects;
  const OnFailure policy = policy_for(hook, failure.cause);
  // Where an event cannot ask, the policy `ask` only leaves the message.
  if (policy == OnFailure::Ask && capability(kind).can_ask) effects.verdict = Verdict::Ask;
  if (policy == OnFailure::Closed) effects.verdict = Verdict::Deny;
  if (effects.verdict != Verdict::Pass) effects.reasons.push_back({hook.name, text});
  return effects;
}

Effects effects_of_distrust(const HookSpec& hook, EventKind kind, const std::string& why) {
  Effects effects;
  // Distrust can only ask: where the event cannot ask, the skipped hook has no effect.
  if (!capability(kind).can_ask) return effects;
  effects.verdict = Verdict::Ask;
  effects.reasons.push_back({hook.name, "hook '" + hook.name + "' " + why + "; `grapnel trust` shows it"});
  return effects;
}

}  // namespace grapnel
