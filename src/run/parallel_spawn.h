#pragma once

#include <memory>
#include <span>
#include <vector>

#include "run/supervisor.h"

namespace grapnel {

/// `run_children` for all at once, by several threads where there are many: nearly all of a start is the kernel's work,
/// which every processor can do. The calling thread takes the first share and waits for `others`. The threads get none
/// of the host's signals and are gone when this returns; where it may have none, the calling thread does it all.
std::vector<RunOutcome> run_in_shares(std::span<const ChildSpec> specs, const ChildLimits& limits,
                                      const os::CancelToken& cancel, const os::Calls& calls,
                                      std::span<const std::unique_ptr<Pollable>> others = {});

}  // namespace grapnel
