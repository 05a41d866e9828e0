#pragma once

#include <functional>
#include <vector>

namespace grapnel::cli {

/// Does the work in a process of its own that nobody waits for: a session apart, with nothing open of what the caller
/// may read to its end. False when there can be none; then nothing was done. To be called when no threads run.
bool detach(const std::vector<std::function<void()>>& work);

}  // namespace grapnel::cli
