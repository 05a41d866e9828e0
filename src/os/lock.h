#pragma once

#include <chrono>

#include "base/error.h"

namespace grapnel::os {

/// Takes the exclusive lock of an open file. It lasts until `unlock` or until the file is closed. Processes that share
/// a descriptor share its lock. Fails: System, with EWOULDBLOCK if another process held it for all of `timeout`.
Result<void> lock(int fd, std::chrono::milliseconds timeout);
void unlock(int fd);

}  // namespace grapnel::os
