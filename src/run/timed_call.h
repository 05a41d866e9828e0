#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <stop_token>
#include <vector>

#include "model/run_outcome.h"
#include "os/cancel.h"

namespace grapnel {

/// A hook that is answered by a call in this process rather than by a child.
struct TimedCall {
  std::function<RunOutcome(std::stop_token stop)> make;  ///< Thread: one of its own, which may outlive the event
  std::chrono::milliseconds timeout{0};
  std::chrono::milliseconds grace{0};  ///< how long one that was told to stop is waited for
};

/// What the call came to; what it throws is its ending.
RunOutcome make_safely(const std::function<RunOutcome()>& call);

/// Makes all calls, at most `max_parallel` at once (0 is all): the next starts when one has ended, in order. Each has
/// its own timeout, from its own start; what is still at work then, or when the run is cancelled, is told to stop and,
/// after its grace, left behind. The outcomes are in the order of `calls`.
/// Thread: any.
std::vector<RunOutcome> run_calls(const std::vector<TimedCall>& calls, size_t max_parallel,
                                  const os::CancelToken& cancel);

}  // namespace grapnel
