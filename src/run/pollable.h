#pragma once

#include <poll.h>

#include <span>
#include <vector>

#include "base/clock.h"
#include "model/run_outcome.h"

namespace grapnel {

/// Something that is waited for beside the children of a run, in the same loop and thread. It never waits itself.
class Pollable {
 public:
  virtual ~Pollable() = default;

  virtual void start() = 0;
  /// Called after `start` when nothing else is waited for: what has come by then need not be polled for.
  virtual void glance() {}
  /// Adds what to poll for until it is done.
  virtual void watch(std::vector<pollfd>& polls) = 0;
  /// What it added last, after the wait.
  virtual void on_polled(std::span<const pollfd> polls) = 0;
  /// When `on_due` wants to be called, unless it is done before.
  virtual Deadline due() const = 0;
  virtual void on_due() = 0;
  virtual void cancel() = 0;
  /// Polling does not work any more.
  virtual void abandon() = 0;
  virtual bool is_done() const = 0;
  virtual RunOutcome take_outcome() = 0;
};

}  // namespace grapnel
