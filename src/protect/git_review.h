#pragma once

#include <string>
#include <vector>

#include "call/call.h"
#include "protect/places.h"

namespace grapnel::protect {

/// Whether a command is git changing the working tree.
bool changes_tree(const shell::SimpleCommand& command);

/// A place that such a command changes without naming it: one of the repository's files, when it switches, stashes,
/// resets, pulls or cleans. `directories` are those it may run in. Null for none.
const ProtectedPlace* changed_unnamed(const ProtectedPlaces& places, const shell::SimpleCommand& command,
                                      const std::vector<std::string>& directories);

}  // namespace grapnel::protect
