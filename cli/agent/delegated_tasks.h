#pragma once

#include <span>

#include "cli/delegated_task.h"

/// See cli/delegated_task.h for the protocol between the two programs.
namespace grapnel::cli {

/// The tasks that `grapnel` passes on to this program: sending http hooks and answering prompt hooks. Both need the
/// network, and only this program links a network library.
std::span<const DelegatedTask> all_delegated_tasks();

}  // namespace grapnel::cli
