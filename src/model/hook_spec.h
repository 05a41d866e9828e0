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

#include "match/matcher.h"

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
};

/// A function of the host.
struct CallbackHandler {
  HookCallback call;
};

/// A kind of hook its file may have but nothing here can run: it fails, as a hook that cannot start.
struct UnavailableHandler {
  std::string type;
  std::string prompt;
  std::string model;
};

using Handler = std::variant<CommandHandler, CallbackHandler, UnavailableHandler>;

/// What failing means, by cause.
struct FailurePolicy {
  OnFailure on_timeout = OnFailure::Open;
  OnFailure on_failure = OnFailure::Open;
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
  Handler handler;
  std::chrono::milliseconds timeout{60000};  ///< 0: none (callbacks only)
  bool sequential = false;                   ///< its file asks for it
  bool async = false;                        ///< started and left alone: it cannot decide anything
  size_t max_concurrent = 0;                 ///< 0: no cap
  int priority = 100;
  bool enabled = true;
  FailurePolicy failure;
  std::string identity;            ///< a trusted project hook takes the place of a user's that has the same; "" never
  std::string dedupe_key;          ///< "" where the dialect does not dedupe
  std::string definition;          ///< the entry as JSON, for digests and snapshots
  std::vector<std::string> files;  ///< belong to what is trusted, whether the command names them or not
  Trust trust = Trust::NotNeeded;
  std::string digest;  ///< of what was trusted

  bool listens_to(EventKind kind) const { return events.test(static_cast<size_t>(kind)); }
  const CommandHandler* command() const { return std::get_if<CommandHandler>(&handler); }
  /// The command with its arguments, "" for other handlers.
  std::string command_text() const;
  /// `file:line`, or what registered it.
  std::string source_text() const;
};

}  // namespace grapnel
