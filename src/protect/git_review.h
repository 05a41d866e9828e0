#pragma once

#include <string>
#include <vector>

#include "call/call.h"
#include "protect/places.h"

/// Git changes files that its command line does not name: `git checkout main` may replace any file of the repository.
/// So the names in the command are not enough.
namespace grapnel::protect {

/// Whether the command is git, with a subcommand that changes files in the working tree.
bool changes_tree(const shell::SimpleCommand& command);

/// A place that such a command changes without naming it: a file of the repository, if the command switches, stashes,
/// resets, pulls or cleans. `directories` are those in which it may run. Null if there is none.
const ProtectedPlace* changed_unnamed(const ProtectedPlaces& places, const shell::SimpleCommand& command,
                                      const std::vector<std::string>& directories);

}  // namespace grapnel::protect
