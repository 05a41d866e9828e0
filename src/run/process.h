#pragma once

#include <chrono>
#include <csignal>

#include "base/clock.h"
#include "base/unique_fd.h"
#include "model/run_outcome.h"
#include "os/calls.h"
#include "os/spawn.h"

namespace grapnel {

/// `from + span`, without wrapping around for values that mean "no limit".
Deadline after(Deadline from, std::chrono::milliseconds span);
/// What is left from now until then, as `ppoll` takes it.
timespec timeout_until(Deadline due, Deadline now = SteadyClock::now());

/// A process we started, leader of its group. Its id stays its own until it is reaped. Thread: one at a time.
class Process {
 public:
  Process() = default;
  explicit Process(os::Spawned spawned) : pid_(spawned.pid), pidfd_(std::move(spawned.pidfd)) {}

  /// Readable once it has exited; -1 when there is none.
  int exit_fd() const { return pidfd_.get(); }
  void signal_group(int signal, const os::Calls& calls) const;
  /// Whether it has exited and nobody has reaped it yet. Where the host ignores SIGCHLD the kernel does at once.
  bool is_unreaped(const os::Calls& calls) const;
  /// Collects how it ended, waiting for that until `give_up`.
  Ending reap(Deadline give_up, const os::Calls& calls) const;
  void close() { pidfd_.reset(); }

 private:
  bool query_exit(siginfo_t& info, int options, const os::Calls& calls) const;

  pid_t pid_ = -1;
  UniqueFd pidfd_;
};

}  // namespace grapnel
