#pragma once

#include <string>

#include "os/spawn.h"
#include "run/child.h"

namespace grapnel {

/// The descriptors that become a child's standard streams.
struct ChildEnds {
  int in = -1;
  int out = -1;
  int err = -1;
};

/// Starts the process of a child in its sandbox. If the kernel cannot enforce the sandbox and it is not required, the
/// process is started without it, and `not_enforced` says why.
///
/// Fails: like `os::spawn`.
Result<os::Spawned> start_process(const ChildSpec& spec, const ChildEnds& ends, const os::Calls& calls,
                                  std::string& not_enforced);

/// The outcome of a process that could not be started.
NotStarted not_started(const Error& error);

}  // namespace grapnel
