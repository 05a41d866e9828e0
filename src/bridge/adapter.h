#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dialect/dialect.h"

/// The bridge makes one set of hooks work in every agent: `grapnel install` writes entries into the settings of other
/// agents, and these entries call Grapnel at each event.
///
///   adapter.h           an agent: where its settings are, what an entry looks like, what it does with an exit code
///   entry.h             the entry that we write, and the command in it
///   json_entries.h      adds entries to JSON settings and removes them, byte for byte
///   toml_entries.h      the same for TOML
///   opencode_plugin.h   for an agent that has plug-ins instead of entries
///   codex_trust.h       for an agent that runs nothing until somebody approves it
///   manifest.h          what was written where, and the original content
///   install.h           plans and carries out: which file gets which content
///   matrix.h            which effects work in which agent, for people
///
/// Adapters are tables, like dialects. The names of an agent's events, keys and files are part of its dialect. An
/// adapter adds only what is needed for writing into those files.
namespace grapnel {

/// The form in which an agent keeps entries.
enum class EntryForm : uint8_t {
  Groups,  ///< JSON: a list of groups per event, each with a list of entries
  Flat,    ///< JSON: a list of entries per event
  Tables,  ///< TOML: one list of entries, each with its event
  Plugin,  ///< no entries: the agent loads a program file
};

/// What a person has to approve before the agent runs an entry.
enum class Consent : uint8_t { None, CodexState };

/// What an entry does when the program that it names is missing.
enum class OnMissing : uint8_t { Pass, Block };

/// A timeout for one event, if the agent allows less there.
struct EventTimeout {
  EventKind kind;
  std::chrono::milliseconds timeout;
};

/// One row of the table in adapters.cc.
struct Adapter {
  std::string_view agent;  ///< `claude`
  std::string_view title;  ///< `Claude Code`
  const Dialect* dialect = nullptr;
  EntryForm form = EntryForm::Groups;
  /// Longer than any of our hooks may take. An agent that stops waiting goes on without an answer.
  std::chrono::milliseconds timeout = std::chrono::minutes{10};
  std::span<const EventTimeout> event_timeouts = {};
  /// Wired only if the user names them or has a hook for them: frequent ones, since each costs a process, and ones that
  /// not every version of the agent knows.
  std::span<const EventKind> on_request = {};
  /// At these the agent leaves a job of its own to a hook. They are never wired: Grapnel cannot do that job, and the
  /// agent could no longer do it.
  std::span<const EventKind> left_alone = {};
  bool reads_comments = true;  ///< false: the agent rejects JSON with comments or a byte-order mark
  int block_exit = 2;          ///< the exit code that blocks a tool call
  Consent consent = Consent::None;
  std::string_view own_file = {};               ///< the name of our file, if hooks are a directory of files
  std::span<const HookFilePlace> plugins = {};  ///< where a plug-in is installed
  std::string_view program = {};                ///< the command that people start, if it is not called like the agent
};

/// All agents, in the order in which they are listed for people.
std::span<const Adapter> all_adapters();
/// Finds an agent by its name; null when it is unknown.
const Adapter* find_adapter(std::string_view agent);

/// The place of the agent's settings in that scope that we write to; null when there is none.
const HookFilePlace* settings_place(const Adapter& adapter, Scope scope);

/// How the agent's settings spell an event.
std::string_view spelling_of(const Dialect& dialect, const EventRow& row);

/// The events that are wired if the user names none. One row for each spelling.
std::vector<const EventRow*> usual_events(const Adapter& adapter);
/// The events that can be wired. One row for each spelling.
std::vector<const EventRow*> wirable_events(const Adapter& adapter);
/// All events of the agent. One row for each spelling.
std::vector<const EventRow*> every_event(const Adapter& adapter);

}  // namespace grapnel
