#pragma once

#include <span>

#include "cli/delegated_task.h"

namespace grapnel::cli {

/// What this program does for `grapnel`.
std::span<const DelegatedTask> all_delegated_tasks();

}  // namespace grapnel::cli
