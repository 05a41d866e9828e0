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

/// The one loop that waits for all children of a run, and for whatever else the run waits for.
///
/// It polls their pipes and pidfds, and the cancel token, with the nearest deadline as timeout. The set is small, lives
/// as long as one event, and changes at nearly every turn, so building it anew for `ppoll` costs less than keeping an
/// epoll set; and a timeout given to the wait needs no timer descriptors and no system calls to arm them.
///
/// The loop uses the calling thread and leaves its process as it was: no handler, no disposition, no thread, no
/// descriptor, no child. Any signal the host handles meanwhile just makes it look again.
namespace grapnel {

/// What tests put in place of the real thing, and what they watch. The functions are called from inside the loop, so
/// they have to be quick; neither is for a child that a cancel kept from starting.
struct RunSeams {
  const os::Calls& calls = os::real_calls();
  std::function<void(size_t index)> on_start = {};
  std::function<void(size_t index)> on_end = {};
};

/// Runs all children, at most `max_parallel` at once (0 is all): the next starts when one has ended, in order. Every
/// child has its own timeout, from its own start. The outcomes are in the order of `specs`. Thread: any.
/// `others` start before them, do not count, and are done when this returns.
std::vector<RunOutcome> run_children(std::span<const ChildSpec> specs, size_t max_parallel, const ChildLimits& limits,
                                     const os::CancelToken& cancel, const RunSeams& seams = {},
                                     std::span<const std::unique_ptr<Pollable>> others = {});

}  // namespace grapnel
