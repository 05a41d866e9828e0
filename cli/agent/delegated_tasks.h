#pragma once

#include <span>

#include "cli/delegated_task.h"

namespace grapnel::cli {

/// The tasks that `grapnel` passes on to this program.
std::span<const DelegatedTask> all_delegated_tasks();

}  // namespace grapnel::cli
