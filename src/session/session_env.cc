#include "session/session_env.h"

#include <algorithm>
#include <map>

namespace grapnel {

namespace {

/// Whether later hooks may inherit this variable. One that redirects the dynamic linker, the shell or Grapnel itself
/// would let one hook take over all others.
bool is_safe(const std::string& name, const std::string& value) {
  const auto is_word = [](char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  const bool named = !name.empty() && std::ranges::all_of(name, is_word) && !(name[0] >= '0' && name[0] <= '9');
  const bool redirects = name.starts_with("LD_") || name.starts_with("GRAPNEL_") || name == "BASH_ENV";
  return named && !redirects && value.find('\0') == std::string::npos;
}

}  // namespace

void keep_safe_env(Effects& effects) {
  std::erase_if(effects.env, [&](const auto& entry) {
    if (is_safe(entry.first, entry.second)) return false;
    effects.messages.push_back({"", "a hook may not set the variable '" + entry.first + "'; ignored"});
    return true;
  });
}

std::vector<std::pair<std::string, std::string>> merged_env(
    std::vector<std::pair<std::string, std::string>> earlier,
    const std::vector<std::pair<std::string, std::string>>& later) {
  std::map<std::string, std::string> all(earlier.begin(), earlier.end());
  for (const auto& [name, value] : later) all[name] = value;
  earlier.assign(all.begin(), all.end());
  return earlier;
}

}  // namespace grapnel
