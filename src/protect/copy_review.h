#pragma once

#include "call/call.h"
#include "protect/named_places.h"

/// Copies change files that their words do not name: those of a directory that is copied, and those of the same name in
/// a directory that is the target.
namespace grapnel::protect {

/// Whether the program copies or moves its operands into the last one.
bool is_copier(std::string_view program);

/// A copy changes its target, and the files of that name inside the target. Some commands also change their source:
/// `mv` removes it, and a link to it lets a later command write it under another name.
const ProtectedPlace* changed_by_copy(const NamedPlaces& named, const shell::SimpleCommand& command);

}  // namespace grapnel::protect
