#pragma once

#include <chrono>
#include <csignal>
#include <memory>
#include <vector>

#include "base/clock.h"
#include "base/unique_fd.h"
#include "model/run_outcome.h"
#include "os/calls.h"
#include "os/spawn.h"

namespace grapnel {

/// `from + span`, without an overflow for values that mean "no limit".
Deadline after(Deadline from, std::chrono::milliseconds span);
/// The time left until `due`, in the form that `ppoll` takes.
timespec timeout_until(Deadline due, Deadline now = SteadyClock::now());

/// A process that we started, which leads a process group of its own. Until it is reaped, no other process can get its
/// id. Thread: one at a time.
class Process {
 public:
  Process() = default;
  explicit Process(os::Spawned spawned)
      : pid_(spawned.pid),
        tag_(spawned.tag),
        pidfd_(std::move(spawned.pidfd)),
        scope_(std::move(spawned.scope)),
        means_(spawned.means) {}

  /// Becomes readable when the process has exited; -1 if there is no process.
  int exit_fd() const { return pidfd_.get(); }
  /// Sends a signal to the whole group, or to the process alone if the group does not exist.
  void signal_group(int signal, const os::Calls& calls) const;
  /// Whether it has exited but is not reaped yet. If the host ignores SIGCHLD, the kernel reaps it at once.
  bool is_unreaped(const os::Calls& calls) const;
  /// Reaps the process and returns how it ended. Waits for the exit until `give_up`.
  Ending reap(Deadline give_up, const os::Calls& calls) const;
  void close() {
    pidfd_.reset();
    scope_.reset();
  }

  /// Kills everything that it started, wherever that went. False if something is left at `give_up`.
  bool end_rest(Deadline give_up, const os::Calls& calls) const {
    if (scope_) scope_->kill_all();
    return os::end_tagged(tag_, pid_, give_up, calls);
  }
  /// What it has started and left behind, wherever that went.
  std::vector<os::Remaining> rest(const os::Calls& calls) const { return os::find_tagged(tag_, pid_, calls); }
  /// Whether it has started so many processes that there are more than `most`, itself included.
  bool has_more_than(uint32_t most, const os::Calls& calls) const {
    return os::tagged_ids(tag_, pid_, most, calls).size() == most;
  }
  /// Itself and what it has started; not all if there are many.
  std::vector<pid_t> members(const os::Calls& calls) const {
    constexpr size_t kMost = 1000;
    std::vector<pid_t> out = os::tagged_ids(tag_, pid_, kMost, calls);
    out.push_back(pid_);
    return out;
  }
  os::Means means() const { return means_; }

 private:
  /// One `waitid` that does not block. False if the status is lost; `info.si_pid` is 0 while the process still runs.
  bool query_exit(siginfo_t& info, int options, const os::Calls& calls) const;

  pid_t pid_ = -1;
  os::Tag tag_;
  UniqueFd pidfd_;
  std::shared_ptr<os::ScopedThread> scope_;
  os::Means means_ = os::Means::Group;
};

}  // namespace grapnel
