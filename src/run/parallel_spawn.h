#pragma once

#include <memory>
#include <span>
#include <vector>

#include "run/supervisor.h"

namespace grapnel {

/// `run_children` without a limit, in several threads if there are many children. Starting a process is nearly all work
/// of the kernel, and several processors can do that at the same time. The calling thread runs the first share and
/// waits for `others`. The other threads receive none of the host's signals, and they have ended when this returns. If
/// no thread can be started, the calling thread runs everything.
std::vector<RunOutcome> run_in_shares(std::span<const ChildSpec> specs, const ChildLimits& limits,
                                      const os::CancelToken& cancel, const os::Calls& calls,
                                      std::span<const std::unique_ptr<Pollable>> others = {});

}  // namespace grapnel
