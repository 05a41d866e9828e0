#include "discover/find/overrides.h"

#include <unistd.h>

#include <array>
#include <charconv>
#include <cmath>

#include "base/text.h"

namespace grapnel {

namespace {

/// A suffix and its length. The empty suffix makes a bare number seconds.
struct Unit {
  std::string_view suffix;
  double milliseconds;
};
constexpr auto kUnits = std::to_array<Unit>({{"ms", 1}, {"s", 1000}, {"m", 60000}, {"h", 3600000}, {"", 1000}});
constexpr double kMaxMilliseconds = 30.0 * 24 * 3600 * 1000;

}  // namespace

std::optional<std::chrono::milliseconds> parse_duration(std::string_view text) {
  text = text::trim(text);
  double number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec != std::errc{}) return std::nullopt;
  const std::string_view suffix = text::trim(text.substr(static_cast<size_t>(parsed.ptr - text.data())));
  for (const Unit& unit : kUnits) {
    if (suffix != unit.suffix) continue;
    const double milliseconds = number * unit.milliseconds;
    // The negation also refuses NaN, which `from_chars` accepts.
    if (!(milliseconds >= 1) || milliseconds > kMaxMilliseconds) return std::nullopt;
    return std::chrono::milliseconds(std::llround(milliseconds));
  }
  return std::nullopt;
}

/// A value that cannot be used is reported and otherwise ignored.
Overrides read_overrides(const Environment& env) {
  Overrides out;
  if (const std::string_view disable = text::trim(env.get("GRAPNEL_DISABLE")); !disable.empty() && disable != "0") {
    const std::string word = text::to_lower(disable);
    out.disable_all = word == "1" || word == "true" || word == "all";
    for (const std::string_view name : text::split(disable, ',')) {
      // `1`, `true` and `all` are no names of hooks.
      if (!out.disable_all) out.disabled_names.emplace(text::trim(name));
    }
  }
  if (const std::string_view timeout = env.get("GRAPNEL_TIMEOUT"); !timeout.empty()) {
    out.timeout = parse_duration(timeout);
    if (!out.timeout) {
      out.problems.push_back("GRAPNEL_TIMEOUT='" + std::string(timeout) +
                             "' is not a duration; write 30s, 500ms or 2m");
    }
  }
  if (const std::string shell(env.get("GRAPNEL_SHELL")); !shell.empty()) {
    // Only reported here: `prepare_command` ignores such a value by itself.
    if (!shell.starts_with('/') || ::access(shell.c_str(), X_OK) != 0) {
      out.problems.push_back("GRAPNEL_SHELL='" + shell +
                             "' is not the full path of a program, so sh is used; write a path that starts with /");
    }
  }
  for (const std::string_view path : text::split(env.get("GRAPNEL_CONFIG"), ':')) {
    if (!path.empty()) out.config_files.emplace_back(path);
  }
  return out;
}

}  // namespace grapnel
