#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "cli/command.h"

/// What `enable` and `disable` have in common.
namespace grapnel::cli {

/// What is to be switched, and how.
struct SwitchRequest {
  std::string name;
  bool on = false;
  std::string session;                                ///< "": everywhere
  std::optional<std::chrono::milliseconds> duration;  ///< nothing: for good
};

/// Switches hooks by name and says so. A name that no hook has is an input error.
int switch_hooks(Invocation& in, const SwitchRequest& request);

}  // namespace grapnel::cli
