#pragma once

#include <optional>
#include <string>

#include "grapnel/json.h"

#include "bridge/adapter.h"
#include "dialect/degrade.h"

/// What works in which agent, read from the tables: the dialects' rows, what they degrade to, the adapters.
namespace grapnel {

/// How far an effect is heard at an event of an agent, by the best of the agent's events of that kind; nothing when it
/// has none.
std::optional<Fit> fit_at(const Adapter& adapter, EventKind kind, Wish wish);

/// `yes`, `no`, what it becomes, or "" when the agent has no such event.
std::string fit_word(const std::optional<Fit>& fit);

/// Where settings of the agent are: `~/.claude/settings.json`, or "" when it has none of that scope.
std::string settings_name(const Adapter& adapter, Scope scope);

/// The version it was seen to work with, or that it was not.
std::string verified_text(const Adapter& adapter);

/// `docs/agents.md`.
std::string agents_page();

Json agent_json(const Adapter& adapter);

}  // namespace grapnel
