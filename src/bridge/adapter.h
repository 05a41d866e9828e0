#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dialect/dialect.h"

/// The bridge: one set of hooks in every agent.
///
///   adapter.h        an agent: where its settings are, how an entry looks in them, what it makes of an exit code
///   entry.h          the entry we write, and the command in it
///   json_entries.h   into JSON settings and out again, byte for byte
///   toml_entries.h   the same in TOML
///   opencode_plugin.h  for an agent that has no such entries
///   codex_trust.h    an agent that runs nothing until somebody agreed to it
///   manifest.h       what was written where, and what to give back
///   install.h        plans and applies: which file becomes what
///
/// Adapters are tables, as dialects are. What an agent calls its events, keys and files is its dialect's business; an
/// adapter adds what only somebody needs who writes into those files.
namespace grapnel {

/// How an agent keeps entries.
enum class EntryForm : uint8_t {
  Groups,  ///< JSON: a list of groups per event, each with a list of entries
  Flat,    ///< JSON: a list of entries per event
  Tables,  ///< TOML: one list of entries, each with its event
  Plugin,  ///< none: a program of its own, which the agent loads
};

/// What a person has to agree to before the agent runs an entry.
enum class Consent : uint8_t { None, CodexState };

/// Which way to fail when the program an entry names is gone.
enum class OnMissing : uint8_t { Pass, Block };

struct EventTimeout {
  EventKind kind;
  std::chrono::milliseconds timeout;
};

struct Adapter {
  std::string_view agent;  ///< `claude`
  std::string_view title;  ///< `Claude Code`
  const Dialect* dialect = nullptr;
  EntryForm form = EntryForm::Groups;
  /// Longer than any hook of ours may take: an agent that loses patience goes on without an answer.
  std::chrono::milliseconds timeout = std::chrono::minutes{10};
  std::span<const EventTimeout> event_timeouts = {};
  std::span<const EventKind> on_request = {};  ///< too frequent to be wired unless named
  bool reads_comments = true;                  ///< of JSON; otherwise they and a byte-order mark cost it the file
  int block_exit = 2;                          ///< refuses a tool call
  Consent consent = Consent::None;
  std::string_view own_file = {};               ///< where hooks are a directory of files: the name of ours
  std::span<const HookFilePlace> plugins = {};  ///< where a plug-in is put
};

/// Every agent, in the order in which people are told of them.
std::span<const Adapter> all_adapters();
/// By name; null when unknown.
const Adapter* find_adapter(std::string_view agent);

/// Where the agent keeps settings of that scope that we write to, or null.
const HookFilePlace* settings_place(const Adapter& adapter, Scope scope);

/// How settings of the agent spell an event.
std::string_view spelling_of(const Dialect& dialect, const EventRow& row);

/// The events that are wired when nobody names any: one row for each spelling.
std::vector<const EventRow*> usual_events(const Adapter& adapter);
/// All there are.
std::vector<const EventRow*> every_event(const Adapter& adapter);

}  // namespace grapnel
