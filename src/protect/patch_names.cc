#include "protect/patch_names.h"

#include <array>

#include "base/text.h"

namespace grapnel::protect {

namespace {

constexpr auto kHeaders = std::to_array<std::string_view>({
    "*** Add File: ",
    "*** Update File: ",
    "*** Delete File: ",
    "*** Move to: ",
    "+++ ",
    "--- ",
    "rename to ",
    "rename from ",
    "copy to ",
});

std::string_view without_side(std::string_view name) {
  return name.starts_with("a/") || name.starts_with("b/") ? name.substr(2) : name;
}

}  // namespace

std::vector<std::string> names_in_patch(std::string_view text) {
  std::vector<std::string> names;
  if (!text.contains('\n')) return names;
  for (const std::string_view line : text::split(text, '\n')) {
    for (const std::string_view header : kHeaders) {
      if (!line.starts_with(header)) continue;
      std::string_view name = line.substr(header.size());
      name = text::trim(name.substr(0, name.find('\t')));
      if (name.empty()) continue;
      names.emplace_back(name);
      if (const std::string_view bare = without_side(name); bare != name) names.emplace_back(bare);
    }
  }
  return names;
}

}  // namespace grapnel::protect
