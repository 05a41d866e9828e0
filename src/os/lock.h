#pragma once

#include <chrono>

#include "base/error.h"

namespace grapnel::os {

/// Takes the exclusive lock of an open file, which holds until it is given back or the file is closed. Processes that
/// share a descriptor share its lock. Fails: System, with EWOULDBLOCK when somebody else held it for all of `timeout`.
Result<void> lock(int fd, std::chrono::milliseconds timeout);
void unlock(int fd);

}  // namespace grapnel::os
