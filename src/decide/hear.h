#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "grapnel/decision.h"
#include "grapnel/event.h"
#include "grapnel/json.h"

#include "dialect/event_row.h"

/// Listens to the parts of a hook's output that its own dialect does not read.
///
/// A guard that says "deny" in the words of another agent, in the wrong place or without valid JSON must not be taken
/// for one that has nothing to say. What is beyond doubt counts: a verdict in a place and a word that some dialect has
/// (dialect/spoken.h). It can only restrict. Everything else that looks like a verdict is a doubt, which makes the hook
/// fail, so that people see it and the failure policy decides.
namespace grapnel {

/// What an object says besides the members that the hook's dialect reads.
struct Heard {
  Verdict verdict = Verdict::Pass;  ///< The strictest one that is beyond doubt: Pass, Ask or Deny.
  bool has_verdict = false;         ///< Some member decides, maybe that the event may go on.
  bool has_known = false;           ///< Some member is known in a dialect.
  bool has_unknown = false;         ///< Some member is known in none.
  bool has_reason = false;          ///< Some member gives a reason, for a verdict or for nothing.
  std::string reason;               ///< The first reason that is not empty.
  std::string place;                ///< Where the verdict is, as a JSON pointer.
  bool is_doubtful = false;         ///< Some member looks like a verdict, but is none.
};

/// What the hook's own dialect has read in the object.
struct OwnReading {
  std::span<const OutputRow> rows = {};   ///< The members that it knows at this event.
  std::map<size_t, Effect> effects = {};  ///< What was read, by the offset of the value. It is not heard again.
  bool is_decided = false;                ///< There was a verdict among it.
};

/// Pure.
Heard hear(EventKind kind, const Json& object, const OwnReading& own);

/// What a text that is no valid JSON seems to say.
enum class Hint : uint8_t {
  None,
  Allows,  ///< It has a verdict, and none that denies: `{'decision': 'allow'}`.
  Denies,  ///< `DENY: …`, `decision=deny`, `{'decision': 'deny'}`, or the beginning of an answer that was cut.
};
Hint hint_in(EventKind kind, std::string_view text);

}  // namespace grapnel
