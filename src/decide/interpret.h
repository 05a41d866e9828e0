#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "decide/failure.h"
#include "dialect/dialect.h"
#include "model/run_outcome.h"

/// What the end of a hook and its output mean, by the rules of the dialect that it was written in.
///
///   how it ended ── no exit code ───────────────────────────▶ Failure
///      └─ exit code ─ ExitRow ─▶ Failure | Timeout ─────────▶ Failure
///                            └─▶ Success | Warn (a failure unless JSON answers) | Deny | DenyText | DenyTail
///   status of a reply ─ 2xx ─▶ Success; other or none ─▶ Failure; forbidden address ─ HttpRules ─▶ Failure | Deny
///   stdout, reply (or stderr in its place) ─▶ JSON object ─ OutputRows ─▶ Effects
///                                        └─▶ text ─ TextMeaning ─────▶ Effects
///
/// Output is converted to valid UTF-8 first. JSON after log lines is found, and JSON inside a JSON string is unwrapped.
/// An unknown verdict, a verdict of the wrong type, and output that starts like JSON but is not valid are failures,
/// never silence. Where plain text is context for the model, JSON that is not an answer is context, too.
namespace grapnel {

/// The answer of one hook: effects, or a failure. A hook that failed has no effects, except for context at an event
/// that reads plain text whatever the exit code. `complaints` name the parts of its output that were ignored, and
/// `error` says that all of it was, for the record.
struct HookAnswer {
  Effects effects;
  std::optional<Failure> failure;
  std::vector<std::string> complaints;
  std::string error = {};
};

/// For whom hooks run: for a host of Grapnel's own, or for an agent that has called Grapnel as a hook of its own and
/// expects what the agent itself would do (`ExitRow::in_bridge`).
enum class Asker : uint8_t { Host, BridgedAgent };

/// Pure. A callback returns its effects directly; commands are read by exit code and output, servers by status and
/// body.
HookAnswer interpret(const HookSpec& hook, EventKind kind, const RunOutcome& outcome, Asker asker = Asker::Host);
/// The same, but the effects that a callback returned are moved out of the outcome instead of copied.
HookAnswer interpret_taking(const HookSpec& hook, EventKind kind, RunOutcome& outcome, Asker asker);

}  // namespace grapnel
