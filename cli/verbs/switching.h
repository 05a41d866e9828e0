#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "cli/command.h"

/// What `enable` and `disable` have in common: both find the hooks, change the switch and report.
///
/// Switches are kept apart from hook files: in the user's state directory, or in the state of one session.
namespace grapnel::cli {

/// Which hooks to switch, and how.
struct SwitchRequest {
  std::string name;
  bool on = false;
  std::string session;                                ///< "": in all sessions
  std::optional<std::chrono::milliseconds> duration;  ///< nothing: without an end
};

/// Switches the hooks of that name and reports it. A name that no hook has is an input error.
int switch_hooks(Invocation& in, SwitchRequest request);

}  // namespace grapnel::cli
