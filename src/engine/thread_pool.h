#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace grapnel {

/// A pool that starts threads when there is work for them, at most `limit`. The destructor waits until all queued work
/// is finished. Thread: any.
class ThreadPool {
 public:
  explicit ThreadPool(size_t limit) : limit_(limit) {}
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  /// Queues the work and returns at once. The work must not throw.
  void post(std::function<void()> work);

 private:
  /// The loop of each thread.
  void run();

  /// The maximum number of threads. They are never stopped before the destructor runs.
  const size_t limit_;
  std::mutex mutex_;
  std::condition_variable wake_;
  // `mutex_` guards `queue_`, `idle_` and `closing_`.
  std::deque<std::function<void()>> queue_;
  size_t idle_ = 0;       ///< threads that wait for work
  bool closing_ = false;  ///< the destructor runs: threads end when the queue is empty
  std::vector<std::thread> threads_;
};

}  // namespace grapnel
