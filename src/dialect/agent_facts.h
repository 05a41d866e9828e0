#pragma once

#include <optional>
#include <string>

#include "grapnel/event.h"

#include "base/environment.h"

/// What an agent tells besides the canonical fields, where its dialect has a place for it. Records keep these facts.
namespace grapnel {

/// The version of the agent that sent the event, or "" if it does not tell it. `env` is the environment that the agent
/// gave to the hook.
std::string agent_version(const Event& event, const Environment& env);

/// The exit code of the shell command that a finished tool call ran; nothing if the agent does not tell it.
std::optional<int> told_exit_code(const Event& event);

}  // namespace grapnel
