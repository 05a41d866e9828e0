#pragma once

#include <string_view>

#include "call/call.h"
#include "protect/named_places.h"

namespace grapnel::protect {

/// A place that a patch changes. The patch may be in the text itself (a here-document), or in a file that `patch` or
/// `git apply` reads.
const ProtectedPlace* changed_by_patch(const NamedPlaces& named, std::string_view text,
                                       const shell::ParsedCommand& parsed);

}  // namespace grapnel::protect
