#pragma once

#include <algorithm>
#include <string_view>

#include "call/call.h"

/// Small questions about the words of a command, for the reviews.
namespace grapnel::protect {

inline bool lists(const auto& names, std::string_view name) {
  return std::ranges::find(names, name) != std::ranges::end(names);
}

/// The base name of the program; "" if there is none.
inline std::string_view program_of(const shell::SimpleCommand& command) {
  return command.words.empty() ? std::string_view{} : shell::base_name(command.words[0].text);
}

}  // namespace grapnel::protect
