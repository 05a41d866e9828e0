#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "protect/places.h"
#include "shell/parse.h"

namespace grapnel::protect {

/// The directories from which the names in a call are read.
struct ReviewContext {
  std::string directory;  ///< absolute
  std::string home;
  std::vector<std::string> also = {};  ///< further directories that names may be relative to
  shell::Variables known = {};         ///< variables whose values are known
};

/// What a shell command would do to a place, in words for a person; "" if nothing was found.
///
/// Every word of every command that may write is compared with the places. Directories that the text changes to count
/// as further directories that names may be relative to. A word that only the running shell knows completely is
/// compared as far as it is known.
std::string concern_in_shell(const ProtectedPlaces& places, const ReviewContext& around, std::string_view text);

/// The absolute form of a name, as a shell or a tool would read it.
std::string absolute_name(std::string_view name, const ReviewContext& around);

}  // namespace grapnel::protect
