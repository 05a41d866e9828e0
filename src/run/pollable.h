#pragma once

#include <poll.h>

#include <span>
#include <vector>

#include "base/clock.h"
#include "model/run_outcome.h"

/// The interface of things that the loop of the supervisor waits for, besides child processes. Today these are the
/// requests to workers (`WorkerCall`).
///
/// The order of calls: `start` once, before any child starts. If there is nothing else to wait for, `glance` once. Then
/// each turn of the loop calls `watch`, polls, calls `on_polled` with the same descriptors, and calls `on_due` if the
/// deadline had passed before the poll. `cancel` and `abandon` may come between turns. When `is_done` is true, the loop
/// forgets the object, and the caller takes the outcome.
namespace grapnel {

/// Everything happens in the thread of the loop. No function may wait.
class Pollable {
 public:
  virtual ~Pollable() = default;

  /// Begins the work.
  virtual void start() = 0;
  /// Checks once, without polling, whether the result is already there. Called after `start` if nothing else is waited
  /// for.
  virtual void glance() {}
  /// Adds the descriptors to poll for in this turn.
  virtual void watch(std::vector<pollfd>& polls) = 0;
  /// The descriptors that `watch` added, with their `revents` after the wait.
  virtual void on_polled(std::span<const pollfd> polls) = 0;
  /// When `on_due` must be called, unless it is done before.
  virtual Deadline due() const = 0;
  virtual void on_due() = 0;
  /// The host gave the event up.
  virtual void cancel() = 0;
  /// Polling does not work any more: must become done at once.
  virtual void abandon() = 0;
  virtual bool is_done() const = 0;
  virtual RunOutcome take_outcome() = 0;
};

}  // namespace grapnel
