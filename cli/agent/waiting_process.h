#pragma once

#include <atomic>
#include <functional>
#include <optional>

#include "base/unique_fd.h"
#include "engine/thread_pool.h"

/// Nobody waits for an async hook, not even at the end of the agent. The program therefore runs as two processes: the
/// first, which the caller started, only waits, and the second is the agent. If hooks are still running when the agent
/// has nothing more to say, it lets the first process exit with its status and stays until the hooks have ended.
namespace grapnel::cli {

/// The agent's end of the connection to the first process.
class WaitingProcess {
 public:
  /// Splits the program in two and returns in the second process. The first one passes signals on that were sent to it
  /// alone; if it is killed, so is the agent. Without a second process the first one is the agent. Call it before any
  /// thread starts.
  static WaitingProcess split();

  /// Lets the first process exit with this status. From now on the agent has neither the caller's terminal nor its
  /// streams, and signals end it as usual.
  void release(int status);

 private:
  UniqueFd report_;
};

/// Runs the agent's async hooks, each in a thread of its own. Thread: any, except `wait`.
class BackgroundHooks {
 public:
  BackgroundHooks() : pool_(std::in_place, kMaxThreads) {}

  void run(std::function<void()> work);
  bool are_running() const { return running_ > 0; }
  /// Waits until all of them have ended; none can start after that.
  void wait() { pool_.reset(); }

 private:
  static constexpr size_t kMaxThreads = 64;

  std::atomic<size_t> running_ = 0;
  std::optional<ThreadPool> pool_;
};

}  // namespace grapnel::cli
