#pragma once

#include <optional>
#include <string>

#include "grapnel/json.h"

#include "bridge/adapter.h"
#include "dialect/degrade.h"

/// Shows which effects work in which agent. Everything is computed from the tables of dialects and adapters.
namespace grapnel {

/// How well an effect works at an event of an agent. If the agent has several events of that kind, the best one counts.
/// Returns nullopt when it has none.
std::optional<Fit> fit_at(const Adapter& adapter, EventKind kind, Wish wish);

/// `yes`, `no`, or the word for what happens instead; "" when the agent has no such event.
std::string fit_word(const std::optional<Fit>& fit);

/// The name of the agent's settings file for people, such as `~/.claude/settings.json`; "" when it has none in that
/// scope.
std::string settings_name(const Adapter& adapter, Scope scope);

/// The version of the agent that Grapnel was tested with, or a note that it was not tested.
std::string verified_text(const Adapter& adapter);

/// The text of `docs/agents.md`.
std::string agents_page();

/// The same for one agent, for programs.
Json agent_json(const Adapter& adapter);

}  // namespace grapnel
