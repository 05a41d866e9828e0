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

/// Decisions: what hooks answer to an event.
///
/// Each hook answers with `Effects`: a verdict, reasons, texts for the model, changes to the tool's input and so on.
/// The engine combines the effects of all hooks in the configured order and returns a `Decision`, which also says why
/// it is as it is and what happened to every hook.
///
///   const Decision decision = engine->fire(event);
///   if (decision.denied()) return refuse(decision.reason());
///   if (decision.effects.input) input = decision.effects.input->apply(input);
///   add_to_conversation(decision.context());
///
/// All types here are plain values. Thread: any.
namespace grapnel {

/// A hook's opinion about an event. The values are in order of strictness: if hooks disagree, the greatest verdict
/// wins.
///
/// `Pass` means silence or "no objection"; it grants nothing. `Allow` means that no person needs to be asked; it does
/// not override a rule that denies or asks. `Ask` means that a person must decide. `Deny` means that it must not
/// happen.
enum class Verdict : uint8_t { Pass, Allow, Ask, Deny };

/// `pass`, `allow`, `ask`, `deny`.
std::string_view to_string(Verdict verdict);

/// A hook's change to the input of a tool call.
struct Rewrite {
  /// `Replace`: `value` is the whole new input. `Merge`: its members are set on the old input, the others stay.
  enum class Mode : uint8_t { Replace, Merge };
  Mode mode = Mode::Merge;
  Json value;

  /// The input after this change.
  Json apply(const Json& input) const;
  /// One change that has the same result as this change followed by `next`.
  Rewrite then(const Rewrite& next) const;
  bool operator==(const Rewrite&) const = default;
};

/// Which tools the model may choose from, as hooks of the event BeforeToolSelection answer it.
struct ToolChoice {
  /// `Auto`: the model may call a tool. `Any`: it must call one. `None`: it must not.
  enum class Mode : uint8_t { Auto, Any, None };
  Mode mode = Mode::Auto;
  /// The only tools it may call; sorted, without duplicates, and empty for `None`.
  std::vector<std::string> names;

  /// Both choices together: the stricter mode, and the names of both.
  ToolChoice combined(const ToolChoice& other) const;
  bool operator==(const ToolChoice&) const = default;
};

/// A text, and the name of the hook that it comes from.
struct Attributed {
  /// The hook's name; "" if the text is Grapnel's own.
  std::string hook;
  std::string text;
  bool operator==(const Attributed&) const = default;
};

/// Everything that one hook, or all hooks together, want to happen.
///
/// A callback returns this; `return {};` means "no opinion". The effects of several hooks are combined in the
/// configured order, never in the order in which hooks finish. Most members only make sense at some events: a changed
/// prompt, for example, at UserPromptSubmit.
struct Effects {
  Verdict verdict = Verdict::Pass;
  /// Why the verdict is as it is. After combining, only the reasons of the winning verdict are left.
  std::vector<Attributed> reasons;
  /// Texts that the model should read, in the configured order.
  std::vector<Attributed> context;

  // Changes. The host uses the new value instead of its own.
  std::optional<Rewrite> input;  ///< of the tool call
  std::optional<Json> output;    ///< of the tool call
  std::optional<std::string> prompt;
  std::optional<std::string> notification;
  std::optional<Json> model_request;
  /// If BeforeModel hooks set it, the host uses it and does not call the model.
  std::optional<Json> model_response;
  std::optional<ToolChoice> tool_choice;
  /// Another tool call that the host makes next; its result replaces the result of the first call.
  std::optional<Json> tail_call;
  /// The answer to what a tool server asks the user: `{action, content}`. The host does not ask a person then.
  std::optional<Json> elicitation;
  /// The host forgets the conversation so far.
  bool clear_context = false;

  /// The agent should stop altogether, not only refrain from this one action.
  bool stop = false;
  std::vector<Attributed> stop_reasons;
  /// Environment variables for the rest of the session, sorted by name.
  std::vector<std::pair<std::string, std::string>> env;
  /// Texts for people; the model never sees them.
  std::vector<Attributed> messages;
  /// Texts for the record only.
  std::vector<Attributed> logs;
  /// The output of the hook should not be shown to people.
  bool suppress_output = false;
  /// Values that callbacks pass to their host, with the name of the callback.
  std::vector<std::pair<std::string, Json>> data;

  /// Whether there is no effect at all.
  bool is_neutral() const;
  bool operator==(const Effects&) const = default;
};

/// Where the verdict of a decision comes from. It lets a host tell a hook's own answer from the consequence of a
/// failure.
enum class Origin : uint8_t {
  NoHook,      ///< no hook is configured for this event, or none matched
  Hook,        ///< a hook answered
  FailOpen,    ///< a hook failed, and its failure policy lets the event pass
  FailAsk,     ///< a hook failed, and its failure policy asks a person
  FailClosed,  ///< a hook failed, and its failure policy denies the event
  LoopCap,     ///< hooks denied this gate too often in one turn, so it opened (`Limits::gate_blocks`)
  Remembered,  ///< the same tool call was decided before, and that decision is reused
  Person,      ///< hooks asked, and a person answered
  Engine,      ///< Grapnel itself: hooks are switched off, the event was cancelled, or the input is bad
};
/// `no-hook`, `hook`, `fail-open`, …, as records and `Decision::to_json` spell it.
std::string_view to_string(Origin origin);

/// How a hook was started and what it answered, for the record.
struct HookTrace {
  /// The command line; empty if the hook is no process.
  std::vector<std::string> argv;
  std::string cwd;
  /// Whether its process had been started before the event (`warm: true`), and if the hook is marked so, why it had
  /// not.
  bool was_warm = false;
  std::string cold;
  /// The time from the arrival of the event to the start of the hook.
  std::chrono::microseconds started{0};
  uint64_t bytes_in = 0;
  /// All bytes that it wrote, including those beyond the limit, which are not kept.
  uint64_t bytes_out = 0;
  uint64_t bytes_err = 0;
  /// Its effects other than the verdict, in canonical names; missing if there are none.
  Json answer;
  bool operator==(const HookTrace&) const = default;
};

/// A process that a hook left running when it ended by itself.
struct HookLeftover {
  int pid = 0;
  uint64_t started = 0;  ///< in ticks since the machine did: ids are used again
  std::string name;
  bool operator==(const HookLeftover&) const = default;
};

/// What was done about the processes of a hook. Empty for hooks that have none.
struct HookContainment {
  /// How everything that it started is found and ended: `group`, `mark`, `sealed mark`, `scope`; `off` if that was
  /// wanted.
  std::string means = {};
  /// What its sandbox took away, in words; "" for nothing.
  std::string sandbox = {};
  /// Why its sandbox was not enforced although it has one, or "".
  std::string not_enforced = {};
  std::vector<HookLeftover> left = {};
  bool ended_leftovers = false;  ///< and they were killed
  /// What it said that it was refused.
  std::vector<std::string> refused = {};
  bool operator==(const HookContainment&) const = default;
};

/// What happened to one hook that was planned for an event.
struct HookFate {
  /// `Ran`: it answered. `Failed`: it crashed, timed out or answered nonsense. `Skipped`: it was not started.
  /// `Detached`: it runs in the background, and the event did not wait for it.
  enum class Kind : uint8_t { Ran, Failed, Skipped, Detached };
  std::string name;
  /// `file:line`, or who registered the hook.
  std::string source;
  Kind kind = Kind::Ran;
  /// How it ended, or why it was skipped: `exit 0`, `timed out after 50 ms`, `an earlier hook denied`.
  std::string detail;
  /// Its own verdict, before it was combined with those of other hooks.
  Verdict verdict = Verdict::Pass;
  std::chrono::microseconds took{0};
  /// The beginning of its standard error, to be shown on request; records do not contain it.
  std::string errors = {};
  /// What is wrong with its output, if that did not make it fail; for the record.
  std::string complaint = {};
  HookTrace trace = {};
  /// The stage in which it was due, counted from 1; 0 for hooks in no stage, such as async ones.
  uint32_t stage = 0;
  /// Set for a hook that only observes (`mode: observe`): the verdict that it would have given. `verdict` is then Pass.
  std::optional<Verdict> would = {};
  /// Why it could not be told for sure whether the rule applies, or "". Such a rule answers with what `unsure` says.
  std::string doubt = {};
  HookContainment contained = {};
  bool operator==(const HookFate&) const = default;
};
/// `ran`, `failed`, `skipped`, `detached`.
std::string_view to_string(HookFate::Kind kind);

/// An effect that the agent of the event has no words for, and what it receives instead. For example, an agent that
/// cannot ask a person receives a `deny` for an `ask`.
struct Degradation {
  /// The effect: `ask`, `input`, `context`, …
  std::string effect;
  /// What the agent receives instead: `deny`, `pass`, `context`, `stderr`, or `dropped`.
  std::string to;
  /// One sentence for people.
  std::string why;
  bool operator==(const Degradation&) const = default;
};

/// What became of an Ask that was put to a person by Grapnel itself, and not by the agent (`HostOptions::person`).
struct PersonAnswer {
  /// The first four are answers. With the others the decision stays what it was: the agent asks, or denies if it
  /// cannot.
  enum class Kind : uint8_t {
    Deny,
    Once,        ///< allowed this time
    Session,     ///< allowed for the rest of the session
    Rule,        ///< allowed, and a rule for the future was written
    NoListener,  ///< nobody was there to be asked
    Expired,     ///< nobody answered in time
    Left,        ///< whoever could have answered went away, or asking failed
  };
  Kind kind = Kind::Left;
  /// Why the person denied it, or what went wrong; "" if there is nothing to say.
  std::string reason = {};
  /// For `Session`: the commands that it covers (`npm publish *`); "" for exactly this call.
  std::string pattern = {};
  /// Where the person answered: `page`, `terminal`.
  std::string by = {};
  /// How long after the question.
  std::chrono::milliseconds after{0};
  /// The answer was given earlier in the session and covers this call, too.
  bool is_remembered = false;

  bool is_allowed() const { return kind == Kind::Once || kind == Kind::Session || kind == Kind::Rule; }
  bool operator==(const PersonAnswer&) const = default;
};
/// `deny`, `once`, `session`, `rule`, `no-listener`, `expired`, `left`.
std::string_view to_string(PersonAnswer::Kind kind);

/// What hooks with `mode: observe` would have done. Nothing of it happens: such hooks are run and recorded, so that
/// people see what a new rule would stop before it stops anything.
struct Would {
  Verdict verdict = Verdict::Pass;
  std::string reason;
  /// The name of the hook behind the verdict, or "".
  std::string decided_by;
  /// The other effects, in the canonical names of `Decision::to_json`; missing if there are none.
  Json effects;
  bool operator==(const Would&) const = default;
};

/// The outcome of an event: what the host should do, why, and what each hook did.
struct Decision {
  /// The combined effects of all hooks.
  Effects effects;
  Origin origin = Origin::NoHook;
  /// The name of the hook behind the verdict or the stop, or "".
  std::string decided_by;
  /// The id of this event's record (`grapnel why <id>`), or "" if no hook matched.
  std::string event_id;
  /// Every hook that was planned for the event, in order.
  std::vector<HookFate> hooks;
  /// At a gate that stays closed: what the model should read next, which is the reason in the words of the agent that
  /// the deciding hook was written for.
  std::string continuation = {};
  /// For an event of `Event::from_native`: the effects that its agent cannot express.
  std::vector<Degradation> degraded = {};
  /// Set if hooks that only observe would have changed something.
  std::optional<Would> would = {};
  /// Set if the verdict of the hooks was Ask and a person was to be asked. The verdict is then what the person said.
  std::optional<PersonAnswer> person = {};

  Verdict verdict() const { return effects.verdict; }
  bool denied() const { return effects.verdict == Verdict::Deny; }
  /// The reasons of the verdict, one on each line; "" if there are none.
  std::string reason() const;
  /// The reasons why the agent should stop, one on each line.
  std::string stop_reason() const;
  /// All texts for the model, separated by blank lines.
  std::string context() const;

  /// The canonical JSON form that `grapnel fire --json` prints.
  Json to_json() const;
};

}  // namespace grapnel
