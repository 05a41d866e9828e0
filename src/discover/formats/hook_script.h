#pragma once

#include <optional>
#include <string>
#include <vector>

namespace grapnel {

/// What a hook directory runs.
struct HookScript {
  std::string script;
  std::string command;  ///< the script, or the interpreter of one that cannot be started by itself
  std::vector<std::string> arguments;
  bool is_startable = true;  ///< false: `scripts/run` without the right to be executed
};

/// The first of `scripts/run`, `scripts/run.sh` and `scripts/run.py` that is there.
std::optional<HookScript> find_hook_script(const std::string& directory);

/// The files directly in `scripts/`, sorted: what a hook may run.
std::vector<std::string> files_of_scripts(const std::string& directory);

}  // namespace grapnel
