#pragma once

#include <optional>
#include <string>
#include <vector>

#include "decide/failure.h"
#include "dialect/dialect.h"
#include "model/run_outcome.h"

/// What a hook's ending and output mean, by the rules of the dialect it was written in.
///
///   ending ── not an exit ──────────────────────────────▶ Failure
///      └─ exit code ─ ExitRow ─▶ Failure | Timeout ─────▶ Failure
///                            └─▶ Success | Warn | Deny | DenyText
///   status of a reply ─ 2xx ─▶ Success; otherwise and without one ─▶ Failure; forbidden ─ HttpRules ─▶ Failure | Deny
///   stdout, body (or stderr where it stands in) ─▶ JSON object ─ OutputRows ─▶ Effects
///                                        └─▶ text ─ TextMeaning ──────▶ Effects
///
/// Output is made valid UTF-8 first. JSON behind log lines is found; JSON inside a JSON string is unwrapped. A verdict
/// word nobody knows, a verdict of the wrong type, and output that starts like JSON but is none are failures, never
/// silence. Where plain text is context for the model, JSON that is no answer is context too.
namespace grapnel {

/// One hook's answer: effects, or a failure; what failed has no effects but the context of an event that takes text
/// whatever the exit code. `complaints` are ignored parts of its output, for the record.
struct HookAnswer {
  Effects effects;
  std::optional<Failure> failure;
  std::vector<std::string> complaints;
};

/// Pure. Callbacks answer for themselves; commands by exit code and output, servers by status and body.
HookAnswer interpret(const HookSpec& hook, EventKind kind, const RunOutcome& outcome);
/// The same; what a callback returned is taken out of the outcome, not copied.
HookAnswer interpret_taking(const HookSpec& hook, EventKind kind, RunOutcome& outcome);

}  // namespace grapnel
