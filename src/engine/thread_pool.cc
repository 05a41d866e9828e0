#include "engine/thread_pool.h"

namespace grapnel {

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  // The threads finish the queued work first; `run` returns only when the queue is empty.
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

/// Starts a new thread only if there is more queued work than idle threads.
void ThreadPool::post(std::function<void()> work) {
  const std::lock_guard lock(mutex_);
  queue_.push_back(std::move(work));
  if (idle_ < queue_.size() && threads_.size() < limit_) threads_.emplace_back([this] { run(); });
  wake_.notify_one();
}

void ThreadPool::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    ++idle_;
    wake_.wait(lock, [this] { return closing_ || !queue_.empty(); });
    --idle_;
    if (queue_.empty()) return;  // closing, and all work is done
    const std::function<void()> work = std::move(queue_.front());
    queue_.pop_front();
    // The work runs without the lock, so it may post more work.
    lock.unlock();
    work();
    lock.lock();
  }
}

}  // namespace grapnel
