#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "protect/places.h"

namespace grapnel::protect {

/// Where names of a call are to be read from.
struct ReviewContext {
  std::string directory;  ///< absolute
  std::string home;
  std::vector<std::string> also = {};  ///< further directories that names may be relative to
};

/// What a shell command would do to a place, in words for a person; "" when nothing is seen.
///
/// Every word of every command is looked at first, and only where one leads to a place is it asked whether the command
/// writes. Directories that are changed to count as places to start from. What only the running shell knows is compared
/// as far as it is known.
std::string concern_in_shell(const ProtectedPlaces& places, const ReviewContext& around, std::string_view text);

/// An absolute form of a name as a shell or a tool would read it.
std::string absolute_name(std::string_view name, const ReviewContext& around);

}  // namespace grapnel::protect
