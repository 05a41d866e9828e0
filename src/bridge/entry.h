#pragma once

#include <string>
#include <vector>

#include "grapnel/json.h"

#include "bridge/adapter.h"

namespace grapnel {

/// Which program an agent has to call at which of its events.
struct Wiring {
  const Adapter* adapter = nullptr;
  std::string program;  ///< an absolute path, or `kProgramName` for the one that PATH leads to
  OnMissing on_missing = OnMissing::Pass;
  std::vector<const EventRow*> events;
};

/// What settings call that a team shares: on each machine the program is in another place.
inline constexpr std::string_view kProgramName = "grapnel";

/// A command line for any shell that agents start. It runs the program. If the program is missing, it says so and ends
/// as the user chose. Only tool calls are ever blocked, so that users can still talk to the agent.
std::string bridge_command(const Wiring& wiring, const EventRow& event);

/// The entry in the form of the agent's settings.
Json bridge_entry(const Wiring& wiring, const EventRow& event);

/// Why this program cannot be named in the agent's settings; "" if it can.
std::string unusable_program(const Wiring& wiring);

/// The timeout of an entry, in the unit of the agent's settings.
int64_t entry_timeout(const Adapter& adapter, EventKind kind);

/// One of our entries and its position: the group in the event's list, and the index in the group.
struct FoundEntry {
  std::string event;  ///< as the file spells it
  size_t group = 0;
  size_t index = 0;
  Json entry;
};

/// Whether an entry of the agent's settings is one of ours.
bool is_bridge_entry(const Json& entry, const Dialect& dialect);

}  // namespace grapnel
