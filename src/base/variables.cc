#include "base/variables.h"

namespace grapnel {

std::string expand_variables(std::string_view text,
                             const std::function<std::optional<std::string>(std::string_view name)>& value_of,
                             bool braced_only) {
  std::string out;
  while (!text.empty()) {
    const size_t dollar = text.find('$');
    out += text.substr(0, dollar);
    if (dollar == std::string_view::npos) break;
    text.remove_prefix(dollar);
    // The reference at the front of `text`: up to the closing brace, or as long as there are characters of a name. A
    // brace that never closes takes the rest of the text.
    const bool braced = text.substr(1).starts_with('{');
    if (!braced && braced_only) {
      out += text.front();
      text.remove_prefix(1);
      continue;
    }
    const size_t close =
        braced ? text.find('}')
               : text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_", 1);
    const size_t length = close == std::string_view::npos ? text.size() : close + (braced ? 1 : 0);
    std::string_view inner = text.substr(braced ? 2 : 1, length - (braced ? 3 : 1));
    std::string_view fallback;
    if (const size_t at = inner.find(":-"); braced && at != std::string_view::npos) {
      fallback = inner.substr(at + 2);
      inner = inner.substr(0, at);
    }
    if (const auto value = value_of(inner)) {
      out += *value;
    } else {
      // An empty default (`${NAME:-}`) is treated like none.
      out += fallback.empty() ? text.substr(0, length) : fallback;
    }
    text.remove_prefix(length);
  }
  return out;
}

}  // namespace grapnel
