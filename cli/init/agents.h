#pragma once

#include <string>
#include <vector>

#include "bridge/install.h"
#include "cli/command.h"

/// The agents that `grapnel init` installs Grapnel into.
namespace grapnel::cli {

/// The agents of this machine: their program is in PATH, or they have settings in the user's home.
std::vector<const Adapter*> agents_found(const Environment& env);

/// The agents of a list of names with commas between them. Fails: BadInput, with the nearest name.
Result<std::vector<const Adapter*>> agents_named(const std::string& list);

/// Lets an agent call Grapnel as `grapnel install` does, in the user's own settings. Fails: like `carry_out`.
Result<BridgePlan> install_into(const Invocation& in, const Adapter& adapter);

/// The titles of the agents that call Grapnel already, in the user's settings.
std::vector<std::string> agents_that_call(const Environment& env);

}  // namespace grapnel::cli
