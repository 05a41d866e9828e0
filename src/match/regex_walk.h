#pragma once

#include <cstddef>
#include <string_view>

namespace grapnel::match {

/// Calls `visit(offset, character)` for each byte of a regular expression that has its normal meaning, which excludes
/// escaped characters and the contents of classes. For code that only needs the rough structure of a pattern.
template <typename Visit>
void walk_regex(std::string_view regex, Visit visit) {
  bool in_class = false;
  for (size_t i = 0; i < regex.size(); ++i) {
    const char c = regex[i];
    if (c == '\\') {
      ++i;
    } else if (in_class) {
      in_class = c != ']';
    } else if (c == '[') {
      in_class = true;
    } else {
      visit(i, c);
    }
  }
}

}  // namespace grapnel::match
