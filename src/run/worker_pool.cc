#include "run/worker_pool.h"

#include <algorithm>
#include <ctime>
#include <iterator>

namespace grapnel {
namespace {

/// `sweep` is called for every event, but works at most this often. Idle times are minutes, and the steps of an end are
/// 100 ms or more apart, so nothing is missed.
constexpr std::chrono::milliseconds kSweepInterval{50};

/// The time of the last tick of the kernel. It is some milliseconds old, which does not matter here, and it takes a
/// quarter of the time to read.
Deadline last_tick() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return Deadline(std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec));
}

}  // namespace

std::unique_ptr<WorkerCall> WorkerPool::call(WorkerRequest request) {
  was_used_.store(true, std::memory_order_relaxed);
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Worker>& worker = place_of(request.command, request.directory);
  // A worker whose files changed, or that has answered enough events, gets a successor. Its open requests still get
  // their answers: it leaves only when they are finished.
  if (worker && !closed_ && !worker->is_current()) leave(std::move(worker));
  if (!worker) {
    worker = std::make_shared<Worker>(request, limits_, calls_);
    // The call then fails with a reason, instead of starting a process that nobody would end.
    if (closed_) worker->shut();
  }
  return std::make_unique<WorkerCall>(worker, std::move(request));
}

std::shared_ptr<Worker>& WorkerPool::place_of(std::string_view command, std::string_view directory) {
  const auto found = workers_.find(std::pair(command, directory));
  return found != workers_.end() ? found->second : workers_[Key(command, directory)];
}

bool WorkerPool::has_current(const std::string& command, const std::string& directory) {
  const std::lock_guard lock(mutex_);
  const auto found = workers_.find(std::pair(std::string_view(command), std::string_view(directory)));
  return found != workers_.end() && found->second->is_running() && found->second->is_current();
}

void WorkerPool::leave(std::shared_ptr<Worker> worker) {
  worker->retire();
  leaving_.push_back(std::move(worker));
}

size_t WorkerPool::size() const {
  const std::lock_guard lock(mutex_);
  return workers_.size();
}

void WorkerPool::keep_only(const std::set<std::string>& commands) {
  const std::lock_guard lock(mutex_);
  std::erase_if(workers_, [&](auto& entry) {
    if (commands.contains(entry.first.first)) return false;
    leave(std::move(entry.second));
    return true;
  });
  sweep_locked(SteadyClock::now());
}

void WorkerPool::sweep() {
  if (!was_used_.load(std::memory_order_relaxed)) return;
  const Deadline now = last_tick();
  Deadline::rep due = next_sweep_.load(std::memory_order_relaxed);
  const Deadline::rep next = (now + kSweepInterval).time_since_epoch().count();
  // Only the thread that moves the time forward sweeps. All others go on without taking the lock.
  if (now.time_since_epoch().count() < due || !next_sweep_.compare_exchange_strong(due, next)) return;
  const std::lock_guard lock(mutex_);
  sweep_locked(now);
}

/// Ends are made step by step, see `WorkerProcess::end`; each sweep does the steps that are due.
void WorkerPool::sweep_locked(Deadline now) {
  std::erase_if(workers_, [&](auto& entry) {
    if (!entry.second->is_idle_since(now)) return false;
    leave(std::move(entry.second));
    return true;
  });
  std::erase_if(leaving_, [&](const auto& worker) { return worker->advance_end(now); });
}

void WorkerPool::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  for (auto& [key, worker] : workers_) leave(std::move(worker));
  workers_.clear();
  // A worker with open requests is left to the threads of these requests, which share its ownership: their leader is
  // polling its descriptors, so nobody else may close them.
  std::erase_if(leaving_, [](const auto& worker) { return !worker->shut(); });
  for (;;) {
    // Ends the others together: one wait for whichever exits, or is due for the next step, first.
    const Deadline now = SteadyClock::now();
    std::erase_if(leaving_, [&](const auto& worker) { return worker->advance_end(now); });
    if (leaving_.empty()) return;
    std::vector<pollfd> exits;
    Deadline due = Deadline::max();
    for (const auto& worker : leaving_) {
      exits.push_back({.fd = worker->exit_fd(), .events = POLLIN, .revents = 0});
      due = std::min(due, worker->end_due());
    }
    const timespec timeout = timeout_until(due);
    calls_.ppoll(exits.data(), exits.size(), &timeout, nullptr);
  }
}

}  // namespace grapnel
