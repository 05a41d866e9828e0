#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "model/run_outcome.h"
#include "os/calls.h"
#include "os/cancel.h"
#include "run/child.h"
#include "run/pollable.h"

/// The loop that waits for all children of a run, and for everything else that the run waits for.
///
/// One turn of the loop:
///
///   1. Check whether the event was cancelled; if so, cancel everything that runs.
///   2. Start children while there is room.
///   3. Build the poll set: pipes and pidfds of the children, descriptors of the pollables, the cancel token.
///   4. Wait in `ppoll`; the timeout is the nearest deadline.
///   5. Report to each child and pollable what is ready, and then whose deadline has passed.
///   6. Collect the outcomes of the children that are done.
///
/// The poll set is small, lives as long as one event, and changes at nearly every turn. Building it again for each
/// `ppoll` therefore costs less than keeping an epoll set. And since the wait itself has a timeout, no timer
/// descriptors and no system calls to arm them are needed.
///
/// The loop uses the calling thread and leaves the process as it found it: no signal handler or disposition is changed,
/// and no thread, descriptor or child is left behind. If the host handles a signal in the meantime, the loop only makes
/// one more turn.
namespace grapnel {

/// What tests replace or observe. The functions are called from inside the loop, so they have to be quick. They are not
/// called for a child that was never started because of a cancel.
struct RunSeams {
  const os::Calls& calls = os::real_calls();
  std::function<void(size_t index)> on_start = {};
  std::function<void(size_t index)> on_end = {};
};

/// Runs all children, at most `max_parallel` at the same time (0 means all). They start in order; when one ends, the
/// next starts. Each child has its own timeout, which begins at its own start. The outcomes are in the order of
/// `specs`. Thread: any.
///
/// `others` start before the children, do not count for `max_parallel`, and are all done when this returns.
std::vector<RunOutcome> run_children(std::span<const ChildSpec> specs, size_t max_parallel, const ChildLimits& limits,
                                     const os::CancelToken& cancel, const RunSeams& seams = {},
                                     std::span<const std::unique_ptr<Pollable>> others = {});

}  // namespace grapnel
