#pragma once

#include <array>
#include <bitset>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "grapnel/error.h"
#include "grapnel/event.h"
#include "grapnel/hook.h"

#include "base/boxed.h"
#include "match/matcher.h"
#include "model/rule.h"
#include "model/sandbox.h"

/// The nouns of the engine: what a hook is, and what becomes of it. This folder has no behaviour of its own; nearly all
/// others include it.
///
///   rule.h         conditions and answers of rules in grapnel.yaml
///   hook_spec.h    a configured hook: when it runs, what it does, what its failure means
///   registry.h     all hooks, and the mistakes in their files
///   plan.h         which hooks run for one event, and in which order
///   run_outcome.h  how running one hook ended
///   sandbox.h      what a hook's processes may do
///   effects_json.h decisions and effects as JSON
///   http_url.h     addresses of `http` hooks
///
/// src/discover makes hooks from files, src/plan chooses those for an event, src/run runs them, and src/decide turns
/// the outcomes into effects and one decision.
namespace grapnel {

/// Who wrote a hook. Hooks with the same priority run in this order.
enum class Scope : uint8_t { Managed, User, Project, Local, Extension, Callback };
std::string_view to_string(Scope scope);

/// Whether the hooks of one event run one after the other or at the same time.
enum class Strategy : uint8_t { Sequential, Parallel };

/// One condition of a hook: a field of the event, in the spelling of the hook's dialect, must match one of the
/// patterns. The condition is met if the event does not have that field.
struct Clause {
  Field subject = Field::None;
  std::vector<Matcher> any_of;
  bool whole_too = false;  ///< patterns are also compared with the JSON text of an object or array

  /// Compares with a string, or with any string, number or truth value inside of an object or array.
  bool matches(const Json& value) const;
  /// For people.
  std::string describe() const;
};

/// A child process: JSON on stdin, exit code and output back.
struct CommandHandler {
  std::string command;
  std::optional<std::vector<std::string>> args;  ///< if set, the program is started directly, never by a shell
  std::vector<std::pair<std::string, std::string>> env;
  Boxed<Inject> inject;      ///< its output is context for the model; text and file are empty
  bool takes_files = false;  ///< `kFilesMark` in its arguments or its text stands for the files that were touched
};
/// In a list of arguments, stands for one argument per file. A shell's text has `"$@"` in its place.
inline constexpr std::string_view kFilesMark = "{files}";

/// When a hook runs that collects several events and runs once for all of them.
struct Debounce {
  bool until_turn_ends = false;        ///< at the end of the turn
  std::chrono::milliseconds quiet{0};  ///< otherwise: when no further event came for this time

  bool is_set() const { return until_turn_ends || quiet.count() > 0; }
};

/// A function of the host.
struct CallbackHandler {
  HookCallback call;
  std::function<void(const HookFate& fate, const Effects& so_far)> ended = {};  ///< may be empty
};

/// A command that keeps running and answers many events: it reads one line of JSON and writes one for each.
struct WorkerHandler {
  CommandHandler start;
  std::chrono::milliseconds idle{300000};  ///< ended if there is no event for this time
  uint64_t max_events = 10000;             ///< started again after this many events; 0: no limit
};

/// A POST of the event to a server.
struct HttpHandler {
  std::string url;
  std::vector<std::pair<std::string, std::string>> headers;  ///< values may name variables of `allowed_env`
  std::vector<std::string> allowed_env;
  std::vector<std::string> allowed_hosts;                ///< patterns, see `http_url.h`; empty: any host
  std::optional<std::vector<std::string>> allowed_urls;  ///< patterns; not set: any URL
  bool needs_tls = false;
  bool loopback_addresses = false;  ///< allows requests to this machine
  bool private_addresses = false;   ///< allows requests to private and link-local networks
  uint32_t retries = 0;
  size_t max_reply = 0;  ///< bytes; 0: the limit for the output of commands
};

/// One call of a model that judges the event. `$ARGUMENTS` in the prompt is replaced by the event.
struct PromptHandler {
  std::string prompt;
  std::string model;
  bool goes_on = false;  ///< an objection never ends the turn, whatever the event's row in the dialect says
};

/// A sub-agent with read-only tools that judges the event.
struct AgentHandler {
  std::string prompt;
  std::string model;
  uint32_t max_turns = 0;  ///< 0: the judge's own limit
};

/// A kind of hook that its dialect has but Grapnel cannot run. It fails like a hook that cannot be started.
struct UnavailableHandler {
  std::string type;
  std::string prompt;
  std::string model;
};

/// What a hook does when it runs.
using Handler = std::variant<CommandHandler, CallbackHandler, RuleHandler, WorkerHandler, HttpHandler, PromptHandler,
                             AgentHandler, UnavailableHandler>;

/// What happens if the hook fails, by cause.
struct FailurePolicy {
  OnFailure on_timeout = OnFailure::Open;
  OnFailure on_failure = OnFailure::Open;       ///< it could not start, crashed or was refused
  std::optional<OnFailure> on_output;           ///< its output cannot be understood; not set: as `on_failure`
  OnFailure on_no_sandbox = OnFailure::Closed;  ///< its sandbox cannot be enforced here
};

/// Whether a hook may run at all. Project files come from cloned repositories, so a person must trust them first.
enum class Trust : uint8_t { NotNeeded, Trusted, Untrusted };

/// Whether the answer of a hook has an effect. A hook that only observes runs and is recorded like any other, but it
/// stops nothing and changes nothing.
enum class Mode : uint8_t {
  Enforce,
  Observe,           ///< its own entry or its file says so
  ObserveFromAbove,  ///< the user's or the administrator's settings say so, for this hook among others
};

/// What a rule that denies or asks does when it cannot be told whether its condition holds. It is never stricter than
/// the rule itself.
enum class Unsure : uint8_t { Ask, Deny, Pass };
inline constexpr std::array<std::string_view, 3> kUnsureWords = {"ask", "deny", "pass"};  ///< in the order of `Unsure`
/// The keys for it in rule files and settings; the second one is for where nobody can be asked.
inline constexpr std::array<std::string_view, 2> kUnsureKeys = {"unsure", "unsure_unattended"};

/// One configured hook, ready to be planned. It is made from a file (src/discover) or a callback, and is immutable once
/// it is in a registry.
struct HookSpec {
  std::string name;
  std::string group;
  std::string description;
  std::string status_message;
  std::bitset<kEventKindCount> events;
  /// If it listens to `Other`: the names of those events; empty for all of them.
  std::vector<std::string> other_events;
  /// The event's name in the hook's file, if the hook also sees that name; "" for the dialect's name.
  std::string event_name;
  const Dialect* dialect = nullptr;
  Scope scope = Scope::User;
  SourcePos source;
  std::vector<Clause> clauses;
  Boxed<Condition> when;  ///< compared with the event after earlier hooks have changed it
  Handler handler;
  std::chrono::milliseconds timeout{60000};  ///< 0: none (callbacks only)
  bool sequential = false;                   ///< its file asks to run it alone
  bool async = false;                        ///< nobody waits for it, so it cannot decide anything
  bool is_job = false;                       ///< async, and a worker of the fleet runs it (docs/fleet.md)
  size_t max_concurrent = 0;                 ///< 0: no cap
  int priority = 100;
  bool enabled = true;
  FailurePolicy failure;
  std::optional<uint32_t> max_blocks;     ///< how often it may deny a gate in one turn
  bool once = false;                      ///< once in a session
  std::vector<Matcher> unless_unchanged;  ///< files; it is skipped while they are as they were when it last passed
  std::string cwd;                        ///< where it runs, relative to the project; "": as its dialect says
  /// The directory whose hook files declare it, which is the project for this hook; "" if no project declares it.
  std::string project;
  /// The name of `project` in the trust store, if it has another there: in a linked worktree of git, this is the same
  /// directory in the main worktree, so that trust holds in both. "": the real name of `project`.
  std::string trusted_as;
  bool detach = false;  ///< async, and keeps running when the host ends
  bool warm = false;    ///< where an engine stays, its next process is started before the event
  Debounce debounce;
  /// A trusted project hook replaces a user's hook with the same identity; "" never does.
  std::string identity;
  std::string dedupe_key;  ///< "" if the dialect does not remove duplicates
  std::string definition;  ///< the entry as JSON, for digests and snapshots
  /// Files that are trusted together with the hook, whether or not the command names them.
  std::vector<std::string> files;
  Trust trust = Trust::NotNeeded;
  std::string digest;  ///< of everything that was trusted
  Mode mode = Mode::Enforce;
  std::optional<Unsure> unsure;             ///< not set: `Ask`
  std::optional<Unsure> unsure_unattended;  ///< where nobody can be asked; never `Ask`; not set: `Deny`
  /// Of a rule that allows: names of hooks. If they ask about what the rule allows, this is the answer.
  std::vector<std::string> answers;

  Boxed<Sandbox> sandbox;  ///< nothing: `contain`

  /// What it does in doubt. An untrusted file cannot make its own guards milder.
  Unsure in_doubt(bool can_ask) const {
    const bool is_heard = trust != Trust::Untrusted;
    const Unsure wish = is_heard ? unsure.value_or(Unsure::Ask) : Unsure::Ask;
    if (wish != Unsure::Ask || can_ask) return wish;
    return is_heard ? unsure_unattended.value_or(Unsure::Deny) : Unsure::Deny;
  }
  /// What an untrusted file says about its own hooks does not count: whoever changed a guard may have added it.
  bool observes() const {
    return mode == Mode::ObserveFromAbove || (mode == Mode::Observe && trust != Trust::Untrusted);
  }
  bool listens_to(EventKind kind) const { return events.test(static_cast<size_t>(kind)); }
  /// Looks at the name of an `Other` event, too.
  bool listens_to(const Event& event) const;
  /// The canonical names of its events, and for events of the kind `Other` the names that agents have for them.
  std::vector<std::string> event_names() const;
  /// The events at which it runs for what it collected, if it has `debounce`: the ways in which a turn ends, and the
  /// next prompt, which follows a turn that ended without a word.
  std::bitset<kEventKindCount> settles_at() const;
  const CommandHandler* command() const { return std::get_if<CommandHandler>(&handler); }
  const WorkerHandler* worker() const { return std::get_if<WorkerHandler>(&handler); }
  /// The program behind a command or a worker.
  const CommandHandler* program() const { return worker() != nullptr ? &worker()->start : command(); }
  /// Whether a model answers it.
  bool asks_judge() const {
    return std::holds_alternative<PromptHandler>(handler) || std::holds_alternative<AgentHandler>(handler);
  }
  /// The program with its arguments, or the URL without its secrets; "" for other handlers.
  std::string command_text() const;
  /// `command`, `rule`, `worker`, `http`, `prompt`, `agent`, `callback`, or the word in its file for a kind that cannot
  /// run.
  std::string handler_word() const;
  /// What it does, for people: the command, a rule's answer, a URL, a prompt. "" for callbacks and hooks that cannot
  /// run.
  std::string action_text() const;
  /// The conditions under which it runs at its events, for people; "" for always.
  std::string condition_text() const;
  /// `file:line`, or who registered it.
  std::string source_text() const;
};

}  // namespace grapnel
