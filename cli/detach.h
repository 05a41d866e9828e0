#pragma once

#include <functional>
#include <vector>

namespace grapnel::cli {

/// Does the work in a process of its own that nobody waits for. The process has its own session and holds none of the
/// standard streams of the caller, who may be reading them to their end. False when no process can be started; then
/// nothing was done. Call it only while no other threads run, because it forks.
bool detach(const std::vector<std::function<void()>>& work);

}  // namespace grapnel::cli
