#pragma once

#include <string>

#include "base/environment.h"
#include "model/hook_spec.h"

namespace grapnel::cli {

/// Why a hook never gets a process that was started before its event, as far as its definition and its files show; ""
/// if nothing speaks against it. `project` is the directory in which it would run.
std::string why_always_cold(const HookSpec& hook, const std::string& project, const Environment& env);

/// The variables that the hook does without if it is warm: `GRAPNEL_PATH and GRAPNEL_TOOL`, or "".
std::string given_up_text(const Dialect& dialect);

}  // namespace grapnel::cli
