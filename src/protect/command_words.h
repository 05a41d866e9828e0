#pragma once

#include <regex.h>

#include <algorithm>
#include <string>
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

/// Whether this stands for code that cannot be read, such as a script from the network.
inline bool is_unknown_code(const shell::SimpleCommand& command) {
  return !command.words.empty() && command.words[0].text.empty() && command.words[0].is_dynamic();
}

/// Whether a pattern of grep or pkill fits some part of the text.
inline bool fits_pattern(const std::string& pattern, const std::string& text) {
  for (const int kind : {REG_EXTENDED, 0}) {
    regex_t compiled;
    if (pattern.empty() || ::regcomp(&compiled, pattern.c_str(), kind | REG_NOSUB | REG_ICASE | REG_NEWLINE) != 0)
      continue;
    const bool fits = ::regexec(&compiled, text.c_str(), 0, nullptr, 0) == 0;
    ::regfree(&compiled);
    if (fits) return true;
  }
  return false;
}

}  // namespace grapnel::protect
