#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/environment.h"

namespace grapnel {

/// Overrides from the environment. Only the environment of the process itself is read, never a project file.
///
///   GRAPNEL_DISABLE   1, true or all: no hook runs; otherwise names separated by commas
///   GRAPNEL_TIMEOUT   a duration (`500ms`, `30s`, `2m`; a bare number is seconds): default of hooks that set none
///   GRAPNEL_SHELL     a shell to start in place of `sh`; only checked here, run/command_line.h uses it
///   GRAPNEL_CONFIG    further settings files, separated by colons; the user named them, so they are trusted
struct Overrides {
  bool disable_all = false;
  std::set<std::string> disabled_names;
  std::optional<std::chrono::milliseconds> timeout;
  std::vector<std::string> config_files;
  std::vector<std::string> problems;
};
Overrides read_overrides(const Environment& env);

/// `500ms`, `30s`, `10m`, `2h`; a bare number is seconds. Nothing when it is not a duration above 0.
std::optional<std::chrono::milliseconds> parse_duration(std::string_view text);

}  // namespace grapnel
