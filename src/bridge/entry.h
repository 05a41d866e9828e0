#pragma once

#include <string>
#include <vector>

#include "grapnel/json.h"

#include "bridge/adapter.h"

namespace grapnel {

/// What an agent is to call at which of its events.
struct Wiring {
  const Adapter* adapter = nullptr;
  std::string program;  ///< absolute
  OnMissing on_missing = OnMissing::Pass;
  std::vector<const EventRow*> events;
};

/// One line for any shell that agents start: it becomes the program or, where that is gone, says so and ends as the
/// user chose. Only tool calls are ever blocked: whoever lost the program can still talk to the agent.
std::string bridge_command(const Wiring& wiring, const EventRow& event);

/// The entry as the agent's settings have it.
Json bridge_entry(const Wiring& wiring, const EventRow& event);

/// Why such a program cannot be named in the agent's settings, or "".
std::string unusable_program(const Wiring& wiring);

/// The time an agent gives an entry, in the unit of its settings.
int64_t entry_timeout(const Adapter& adapter, EventKind kind);

/// Whether an entry of the agent's settings is one of ours.
bool is_bridge_entry(const Json& entry, const Dialect& dialect);

}  // namespace grapnel
