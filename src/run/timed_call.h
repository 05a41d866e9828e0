#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <stop_token>
#include <vector>

#include "model/run_outcome.h"
#include "os/cancel.h"

/// Calls that block: a POST, a question to a model, a callback with a timeout.
///
/// C++ cannot end a thread from outside. So each call runs in a detached thread of its own, while the caller waits only
/// as long as it wants to:
///
///     Waiting ── start ──▶ Running ── answer ──────────────────────────────────▶ Done
///                             │                                                   ▲
///                             └── timeout or cancel ──▶ Stopping ── answer, or ───┘
///                                 (stop is requested)               grace is over
///
/// If the grace passes too, the thread is left behind. It owns everything it uses, and nobody reads its late answer.
namespace grapnel {

/// A hook that is answered by a function of this process and not by a child.
struct TimedCall {
  std::function<RunOutcome(std::stop_token stop)> make;  ///< runs in its own thread, which may outlive the event
  std::chrono::milliseconds timeout{0};
  std::chrono::milliseconds grace{0};  ///< how long to wait after the stop was requested
};

/// Makes the call. If it throws, the ending is `Threw` with the text of the exception.
RunOutcome make_safely(const std::function<RunOutcome()>& call);

/// Makes all calls, at most `max_parallel` at the same time (0 means all). They start in order; when one ends, the next
/// starts. Each call has its own timeout, which begins at its own start. A call that is still running then, or when the
/// run is cancelled, is asked to stop and, after its grace, left behind. The outcomes are in the order of `calls`.
/// Thread: any.
std::vector<RunOutcome> run_calls(const std::vector<TimedCall>& calls, size_t max_parallel,
                                  const os::CancelToken& cancel);

}  // namespace grapnel
