#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "grapnel/decision.h"
#include "grapnel/event.h"

#include "match/matcher.h"
#include "model/hook_spec.h"

/// One event of one agent, as a row of a table.
///
/// An `EventRow` says what the agent calls the event, what its payload contains, how its hooks are run, how their
/// output is read, and how the decision is written back. The columns are grouped into parts (`row.payload`,
/// `row.exit`…), in the order in which an event needs them. A column that is left out has the value that most agents
/// have.
namespace grapnel {

/// The place of a canonical field in a payload: a top-level key, or a JSON pointer if it starts with a slash.
struct FieldRow {
  Field field;
  std::string_view key;
};

/// A member that is always there: it is written where the payload has none, if the object around it exists.
struct ConstantRow {
  std::string_view pointer;
  std::string_view json;
};

/// A member that the agent leaves out at one of its events, although it sends it at the other events of that kind. It
/// is filled in, from another member or with a fixed value, so that all events of the kind can be read in the same way.
struct CompletionRow {
  std::string_view to;         ///< A JSON pointer to the member that is missing.
  std::string_view from = {};  ///< A JSON pointer to the member whose value is copied.
  std::string_view json = {};  ///< The fixed value, if nothing is copied.
  bool parses = false;         ///< A string at `to` contains JSON and is replaced by it.
};

/// What one member of a hook's JSON output means. The same rows are read backwards to write a decision.
enum class Effect : uint8_t {
  Verdict,       ///< A word that `EventAnswer::words` explains.
  LooseVerdict,  ///< The same in a place that is not documented: it may ask or deny, but it grants nothing.
  DenyIfTrue,    ///< A bool that blocks if it is true.
  DenyIfFalse,   ///< A bool that blocks if it is false.
  Objection,     ///< A text that blocks because it is there, and is the reason.
  Reason,
  Context,
  InputReplace,  ///< Replaces the whole tool input.
  InputMerge,    ///< Is merged into the tool input.
  Output,
  Prompt,
  Notification,
  ModelRequest,
  ModelResponse,
  ToolChoice,
  TailCall,
  ElicitationAction,   ///< `accept`, `decline` or `cancel`: the hook answers for the user.
  ElicitationContent,  ///< What it answers.
  ClearContext,
  StopIfFalse,  ///< As in `continue: false`.
  StopIfTrue,   ///< As in `interrupt: true`.
  StopReason,
  Env,
  Message,
  Log,
  SuppressOutput,
};
struct OutputRow {
  std::string_view pointer;
  Effect effect;
  std::string_view filled = {};  ///< A pointer inside the value, to an array that must not be empty for it to count.
  bool only_read = false;        ///< An older or looser spelling: it is understood, but never written.
  bool as_text = false;          ///< A value that is not a string is written as its JSON text.
};

/// A word that a verdict can have. If several words have the same verdict, the first of them is the one that is
/// written.
struct WordRow {
  std::string_view word;
  Verdict verdict;
  bool only_read = false;  ///< The word is understood, but never written.
};

/// What an exit code means.
enum class ExitMeaning : uint8_t {
  Success,            ///< The hook succeeded; its standard output is read.
  Warn,               ///< The hook failed, and its plain text is a warning for the person; JSON decides for itself.
  Deny,               ///< Blocks, whatever standard output says.
  DenyText,           ///< Plain text blocks and is the reason; JSON decides for itself.
  DenyTail,           ///< Blocks; the last lines of the output are the reason, unless its JSON has one.
  Failure,            ///< The hook failed.
  FailureUnlessJson,  ///< The hook failed, unless it answered in JSON and may fail open.
  Timeout,            ///< The hook reports that it ran out of time.
};
/// The meaning of the exit codes `from` to `to`, both included.
struct ExitRow {
  int from;
  int to;
  ExitMeaning meaning;
  /// The meaning if an agent has called Grapnel as a hook of its own (`fire --bridge`) and expects another one.
  std::optional<ExitMeaning> in_bridge = {};
};

/// What plain text on standard output means if the hook succeeded.
enum class TextMeaning : uint8_t { Nothing, Message, Context, Log };

/// A set of verdicts, one bit for each.
using VerdictMask = uint8_t;
constexpr VerdictMask mask(Verdict v) {
  return static_cast<VerdictMask>(1U << static_cast<unsigned>(v));
}

/// Which payloads and tool calls are this event. This tells rows apart that have the same name or the same kind.
struct EventCondition {
  std::string_view only_if = {};       ///< A JSON pointer that must lead to a value…
  std::string_view only_unless = {};   ///< …or must not.
  std::string_view tool_pattern = {};  ///< A regular expression for the names of the tools concerned; "" for all tools.
  /// Canonical types of errors (`Field::ErrorType`) after which the agent has no such event.
  std::span<const std::string_view> not_after = {};
};

/// What the matcher of a hook is compared with.
struct EventMatching {
  Field match_on = Field::None;  ///< The field a matcher is compared with; None if matchers have no effect here.
  MatchSyntax match_syntax = MatchSyntax::Exact;  ///< How the text of the matcher is read.
  bool matches_empty = false;  ///< If matchers have no effect, one that rejects the empty text still rejects the event.
};

/// How the hooks of the event run.
struct EventRunning {
  Strategy strategy = Strategy::Sequential;  ///< All at once, or one after another.
  VerdictMask ends_chain = 0;  ///< After one of these verdicts no further hook of this dialect is started.
  std::chrono::milliseconds default_timeout{0};  ///< For hooks that set no timeout; 0 means that of the dialect.
  bool context_joins_prompt = false;  ///< Sequential hooks see the context of earlier ones behind the prompt.
  bool once_per_call = false;         ///< The execution guard: a tool call that is reported again runs no hook again.
  std::string_view env_file = {};     ///< A variable with the name of a file to which hooks append `export NAME=value`.
};

/// What the payload contains, besides the members that all events of the agent have.
struct EventPayload {
  std::span<const FieldRow> inputs = {};            ///< Where the canonical fields are.
  std::span<const ConstantRow> constants = {};      ///< Members that hooks always find.
  std::span<const CompletionRow> completions = {};  ///< Members that the agent leaves out, and where to get them.
};

/// What the exit code and the plain text of a finished hook mean. JSON output is the subject of `EventAnswer`.
struct EventExit {
  std::span<const ExitRow> codes = {};      ///< The meaning of exit codes, if it is not that of the dialect.
  TextMeaning text = TextMeaning::Nothing;  ///< What plain text means if the hook succeeded.
  bool text_on_any_exit = false;            ///< Plain text has this meaning whatever the exit code.
};

/// The members of an answer in JSON: how a hook's answer is read, and how the agent is told a decision.
struct EventAnswer {
  std::span<const OutputRow> outputs = {};      ///< Where an answer says what.
  std::span<const WordRow> words = {};          ///< The words of its verdict.
  std::span<const ConstantRow> constants = {};  ///< Members that an answer to the agent must have besides.
  std::string_view continuation = {};  ///< At a gate: what the model reads, before the reason, when it has to go on.
  bool shows_message =
      true;  ///< The person in front of the agent sees the message; false: the agent accepts and drops it.
};

/// Which verdicts the agent obeys at this event, and in which form.
struct EventVerdicts {
  bool can_deny = true;                ///< Whether the event can be blocked; if not, a block is only a message.
  bool asks_anyway = false;            ///< The agent is about to ask a person, so an Ask need not be written.
  bool rewrite_needs_allow = false;    ///< A changed input can only be told together with an Allow.
  bool allow_needs_rewrite = false;    ///< An Allow only counts together with a changed input.
  std::string_view rewrite_word = {};  ///< The word written beside a changed input; it grants nothing.
  bool deny_hides_output = false;      ///< The reason of a block replaces the output of the tool.
  bool objection_stops = false;        ///< The objection of a prompt hook also ends the turn.
};

/// Which hooks count as failed, and what that means, where it differs from the agent's other events.
struct EventFailure {
  bool always_fails_open = false;   ///< A hook cannot ask to block if it fails: the event always goes on.
  bool missing_file_fails = false;  ///< An exit code that blocks is a failure if it only reports a missing file.
};

/// What becomes of a wish that cannot be told to the agent (degrade.h): Deny or Pass.
struct EventLosses {
  Verdict ask = Verdict::Deny;     ///< A person should have been asked.
  Verdict input = Verdict::Deny;   ///< The tool input should have been changed.
  Verdict prompt = Verdict::Deny;  ///< The prompt should have been changed.
};

/// One event of an agent. A kind may have several rows; the first of them is used to run hooks for the events of other
/// agents, and to read hook files that name only the kind.
struct EventRow {
  EventKind kind;                                  ///< What the event is in Grapnel's own words.
  std::string_view wire_name;                      ///< What the agent calls it.
  std::span<const std::string_view> aliases = {};  ///< What else hook files may call it.
  std::string_view since = {};                     ///< The agent's version that has it first; "" if it is not known.

  EventCondition applies = {};
  EventMatching matching = {};
  EventRunning running = {};
  EventPayload payload = {};
  EventExit exit = {};
  EventAnswer answer = {};
  EventVerdicts verdicts = {};
  EventFailure failure = {};
  EventLosses lost = {};
};

/// Checks a table while it is compiled: the rows of one name can be told apart, and an event has words for its verdict
/// if, and only if, its answers have a place for one.
consteval bool well_formed(std::span<const EventRow> rows) {
  for (size_t i = 0; i < rows.size(); ++i) {
    const EventRow& row = rows[i];
    if (row.wire_name.empty()) return false;
    bool has_verdict = false;
    for (const OutputRow& output : row.answer.outputs) has_verdict |= output.effect == Effect::Verdict;
    if (has_verdict != !row.answer.words.empty()) return false;
    for (size_t j = i + 1; j < rows.size(); ++j) {
      const EventRow& other = rows[j];
      if (other.wire_name != row.wire_name) continue;
      if (other.kind == row.kind) return false;
      const bool told_apart =
          row.applies.only_if != other.applies.only_if || row.applies.only_unless != other.applies.only_unless;
      if (!told_apart) return false;
    }
  }
  return true;
}

}  // namespace grapnel
