#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grapnel/error.h"
#include "grapnel/json.h"

namespace grapnel {

/// What hooks may say about an event. The order is the lattice: of several verdicts the greatest counts.
///
/// `Pass` is silence or "no objection" and grants nothing; `Allow` skips a prompt, never a rule that denies or asks.
enum class Verdict : uint8_t { Pass, Allow, Ask, Deny };

/// `pass`, `allow`, `ask`, `deny`.
std::string_view to_string(Verdict verdict);

/// A change to a tool's input: the whole object, or a patch laid over it key by key.
struct Rewrite {
  enum class Mode : uint8_t { Replace, Merge };
  Mode mode = Mode::Merge;
  Json value;

  /// The input after this change.
  Json apply(const Json& input) const;
  /// This change, then that one, as one change.
  Rewrite then(const Rewrite& next) const;
  bool operator==(const Rewrite&) const = default;
};

/// Which tools the model may pick. Folding takes the strictest mode and the union of names.
struct ToolChoice {
  enum class Mode : uint8_t { Auto, Any, None };
  Mode mode = Mode::Auto;
  std::vector<std::string> names;  ///< sorted, unique; empty with `None`

  ToolChoice combined(const ToolChoice& other) const;
  bool operator==(const ToolChoice&) const = default;
};

/// A text together with the hook that said it.
struct Attributed {
  std::string hook;
  std::string text;
  bool operator==(const Attributed&) const = default;
};

/// Everything one hook, or all hooks together, want to happen: a monoid under `combine`.
struct Effects {
  Verdict verdict = Verdict::Pass;
  std::vector<Attributed> reasons;    ///< of the winning verdict only
  std::vector<Attributed> context;    ///< for the model, in configured order
  std::optional<Rewrite> input;       ///< tool input
  std::optional<Json> output;         ///< tool output
  std::optional<std::string> prompt;  ///< user prompt
  std::optional<std::string> notification;
  std::optional<Json> model_request;
  std::optional<Json> model_response;
  std::optional<ToolChoice> tool_choice;
  std::optional<Json> tail_call;  ///< another tool call to make with this one's result
  bool clear_context = false;
  bool stop = false;  ///< the agent as a whole shall stop
  std::vector<Attributed> stop_reasons;
  std::vector<std::pair<std::string, std::string>> env;  ///< for the rest of the session; sorted by name
  std::vector<Attributed> messages;                      ///< for people, never for the model
  std::vector<Attributed> logs;                          ///< for the record only
  bool suppress_output = false;
  std::vector<std::pair<std::string, Json>> data;  ///< what callbacks hand to their host, by hook

  /// Whether nothing at all was said.
  bool is_neutral() const;
  bool operator==(const Effects&) const = default;
};

/// Who made the decision what it is.
enum class Origin : uint8_t {
  NoHook,      ///< nothing was configured or matched
  Hook,        ///< a hook's own answer
  FailOpen,    ///< a hook failed and its policy lets the event pass
  FailAsk,     ///< a hook failed and its policy asks
  FailClosed,  ///< a hook failed and its policy denies
  LoopCap,     ///< a gate had been closed often enough in this turn
  Remembered,  ///< the same tool call was decided before
  Engine,      ///< grapnel itself: switched off, cancelled, bad input
};
std::string_view to_string(Origin origin);

/// How a hook was started and what it said, for the record.
struct HookTrace {
  std::vector<std::string> argv;  ///< empty for what is no process
  std::string cwd;
  std::chrono::microseconds started{0};  ///< since the event came in
  uint64_t bytes_in = 0;
  uint64_t bytes_out = 0;  ///< also what was over the limit
  uint64_t bytes_err = 0;
  Json answer;  ///< what it asked for besides the verdict, in canonical words; missing when nothing
  bool operator==(const HookTrace&) const = default;
};

/// What became of one hook that was planned for an event.
struct HookFate {
  enum class Kind : uint8_t { Ran, Failed, Skipped, Detached };
  std::string name;
  std::string source;  ///< `file:line` or what registered it
  Kind kind = Kind::Ran;
  std::string detail;  ///< `exit 0`, `timed out after 50 ms`, `an earlier hook denied`
  Verdict verdict = Verdict::Pass;
  std::chrono::microseconds took{0};
  std::string errors = {};  ///< what it wrote to standard error, capped; for people who ask, never recorded
  HookTrace trace = {};
  bool operator==(const HookFate&) const = default;
};
std::string_view to_string(HookFate::Kind kind);

/// Something the event's own agent cannot be told as it was meant.
struct Degradation {
  std::string effect;  ///< `ask`, `input`, `context`, …
  std::string to;      ///< what it is told instead: `deny`, `pass`, `context`, `stderr`; or `dropped`
  std::string why;
  bool operator==(const Degradation&) const = default;
};

/// The outcome of an event: what to do, why, and what each hook did.
struct Decision {
  Effects effects;
  Origin origin = Origin::NoHook;
  std::string decided_by;  ///< name of the hook behind the verdict or the stop, or ""
  std::string event_id;    ///< the id of this event's record, or "" when nothing matched
  std::vector<HookFate> hooks;
  std::vector<Degradation> degraded = {};  ///< of the effects, for an event in an agent's own words

  Verdict verdict() const { return effects.verdict; }
  bool denied() const { return effects.verdict == Verdict::Deny; }
  /// The reasons of the verdict, one a line; "" when there are none.
  std::string reason() const;
  std::string stop_reason() const;
  /// All context, tagged pieces joined by a blank line.
  std::string context() const;

  /// The canonical JSON form, as `grapnel fire --json` prints it.
  Json to_json() const;
};

}  // namespace grapnel
