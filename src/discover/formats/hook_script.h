#pragma once

#include <optional>
#include <string>
#include <vector>

namespace grapnel {

/// The script of a hook directory and how it is started. A script with a suffix need not be executable: its `#!` line
/// or its suffix says which interpreter to use.
struct HookScript {
  std::string script;
  std::string command;  ///< the script, or its interpreter if it cannot be started directly
  std::vector<std::string> arguments;
  bool is_startable = true;  ///< false: `scripts/run` is not executable
};

/// The first of `scripts/run`, `scripts/run.sh` and `scripts/run.py` that exists; nothing without one.
std::optional<HookScript> find_hook_script(const std::string& directory);

/// The files directly in `scripts/`, sorted. The script may run any of them, so trust covers all of them.
std::vector<std::string> files_of_scripts(const std::string& directory);

}  // namespace grapnel
