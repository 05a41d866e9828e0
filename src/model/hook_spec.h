#pragma once

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

namespace grapnel {

/// Who wrote a hook. The order is the order in which hooks of equal priority run.
enum class Scope : uint8_t { Managed, User, Project, Local, Extension, Callback };
std::string_view to_string(Scope scope);

/// How hooks of one event run beside each other.
enum class Strategy : uint8_t { Sequential, Parallel };

/// One condition of a hook: a field of the event, as the hook's dialect spells it, against patterns, one of which must
/// match. A field the event does not have passes.
struct Clause {
  Field subject = Field::None;
  std::vector<Matcher> any_of;
  bool whole_too = false;  ///< an object's or array's JSON text counts as well

  /// A string, or any string, number or truth value inside an object or array.
  bool matches(const Json& value) const;
  /// For people.
  std::string describe() const;
};

/// A child process: JSON on stdin, exit code and output back.
struct CommandHandler {
  std::string command;
  std::optional<std::vector<std::string>> args;  ///< with these it is started directly, never by a shell
  std::vector<std::pair<std::string, std::string>> env;
  Boxed<Inject> inject;  ///< what it prints is context; text and file are empty
};

/// A function of the host.
struct CallbackHandler {
  HookCallback call;
};

/// A command that is kept: one JSON line in, one out, for every event it is to see.
struct WorkerHandler {
  CommandHandler start;
  std::chrono::milliseconds idle{300000};  ///< without an event for so long it is ended
  uint64_t max_events = 10000;             ///< after so many it is started anew; 0: never for that
};

/// A POST of the event to a server.
struct HttpHandler {
  std::string url;
  std::vector<std::pair<std::string, std::string>> headers;  ///< values may name variables of `allowed_env`
  std::vector<std::string> allowed_env;
  std::vector<std::string> allowed_hosts;                ///< patterns, see `http_url.h`; empty: any
  std::optional<std::vector<std::string>> allowed_urls;  ///< patterns; nothing: any
  bool needs_tls = false;
  bool loopback_addresses = false;  ///< this machine may be talked to…
  bool private_addresses = false;   ///< …and private and link-local networks
  uint32_t retries = 0;
  size_t max_reply = 0;  ///< bytes; 0: as much as a command may print
};

/// One call of a model that judges the event; `$ARGUMENTS` in the prompt stands for it.
struct PromptHandler {
  std::string prompt;
  std::string model;
  bool goes_on = false;  ///< an objection never ends the turn, whatever the event's row says
};

/// A sub-agent with read-only tools that judges the event.
struct AgentHandler {
  std::string prompt;
  std::string model;
  uint32_t max_turns = 0;  ///< 0: the judge's own limit
};

/// A kind of hook its file may have but nothing here can run: it fails, as a hook that cannot start.
struct UnavailableHandler {
  std::string type;
  std::string prompt;
  std::string model;
};

using Handler = std::variant<CommandHandler, CallbackHandler, RuleHandler, WorkerHandler, HttpHandler, PromptHandler,
                             AgentHandler, UnavailableHandler>;

/// What failing means, by cause.
struct FailurePolicy {
  OnFailure on_timeout = OnFailure::Open;
  OnFailure on_failure = OnFailure::Open;  ///< could not start, crashed, was refused
  std::optional<OnFailure> on_output;      ///< printed what cannot be read; nothing: as `on_failure`
};

/// Whether a hook may run at all. Project files come from cloned repositories.
enum class Trust : uint8_t { NotNeeded, Trusted, Untrusted };

/// One configured hook, ready to be planned. Immutable once it is in a registry.
struct HookSpec {
  std::string name;
  std::string group;
  std::string description;
  std::string status_message;
  std::bitset<kEventKindCount> events;
  std::string event_name;  ///< how its file spells the event, when it sees it spelled so too; "" for the dialect's way
  std::string unsupported_event;  ///< the wire name of a moment we have no kind for; then `events` is empty
  const Dialect* dialect = nullptr;
  Scope scope = Scope::User;
  SourcePos source;
  std::vector<Clause> clauses;
  Boxed<Condition> when;  ///< asked of the event as earlier hooks rewrote it
  Handler handler;
  std::chrono::milliseconds timeout{60000};  ///< 0: none (callbacks only)
  bool sequential = false;                   ///< its file asks for it
  bool async = false;                        ///< started and left alone: it cannot decide anything
  size_t max_concurrent = 0;                 ///< 0: no cap
  int priority = 100;
  bool enabled = true;
  FailurePolicy failure;
  std::optional<uint32_t> max_blocks;     ///< how often it may close a gate in one turn
  bool once = false;                      ///< once in a session
  std::vector<Matcher> unless_unchanged;  ///< files; while they are as when it last passed it is skipped
  std::string cwd;                        ///< where it runs, relative to the project; "" as its dialect says
  bool detach = false;                    ///< async, and lives on when the host ends
  std::string identity;            ///< a trusted project hook takes the place of a user's that has the same; "" never
  std::string dedupe_key;          ///< "" where the dialect does not dedupe
  std::string definition;          ///< the entry as JSON, for digests and snapshots
  std::vector<std::string> files;  ///< belong to what is trusted, whether the command names them or not
  Trust trust = Trust::NotNeeded;
  std::string digest;  ///< of what was trusted

  bool listens_to(EventKind kind) const { return events.test(static_cast<size_t>(kind)); }
  const CommandHandler* command() const { return std::get_if<CommandHandler>(&handler); }
  const WorkerHandler* worker() const { return std::get_if<WorkerHandler>(&handler); }
  /// The program behind a command or a worker.
  const CommandHandler* program() const { return worker() != nullptr ? &worker()->start : command(); }
  /// Whether a model answers it.
  bool asks_judge() const {
    return std::holds_alternative<PromptHandler>(handler) || std::holds_alternative<AgentHandler>(handler);
  }
  /// The program with its arguments, or what is posted to, without its secrets; "" for other handlers.
  std::string command_text() const;
  /// `command`, `rule`, `worker`, `http`, `prompt`, `agent`, `callback`, or what its file calls one that cannot run.
  std::string handler_word() const;
  /// What it does, for people: the command, a rule's answer, a URL, a prompt; "" for callbacks and what cannot run.
  std::string action_text() const;
  /// When it does so besides its events; "" for always.
  std::string condition_text() const;
  /// `file:line`, or what registered it.
  std::string source_text() const;
};

}  // namespace grapnel
