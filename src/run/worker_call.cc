#include <unistd.h>

#include <algorithm>

#include <sys/eventfd.h>

#include "run/worker.h"

/// A WorkerCall mostly hands on to its Worker, which takes the lock. Its own part is time: the deadline of the request,
/// and checking from time to time if there is no bell to sleep on.
namespace grapnel {
namespace {

/// How often a follower checks for its answer if the system had no descriptor left for a bell.
constexpr std::chrono::milliseconds kLookAgain{20};

}  // namespace

UniqueFd open_bell(const os::Calls& calls) {
  return UniqueFd(calls.eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
}

void ring_bell(int fd, const os::Calls& calls) {
  const uint64_t one = 1;
  // Besides an interruption, the write can only fail because the counter is full; then the bell is ringing already.
  while (fd >= 0 && calls.write(fd, &one, sizeof one) < 0 && errno == EINTR) {
  }
}

void silence_bell(int fd, const os::Calls& calls) {
  uint64_t count = 0;
  while (calls.read(fd, &count, sizeof count) < 0 && errno == EINTR) {
  }
}

WorkerCall::WorkerCall(std::shared_ptr<Worker> worker, WorkerRequest request)
    : worker_(std::move(worker)), request_(std::move(request)) {}

WorkerCall::~WorkerCall() {
  // The worker holds a plain pointer to this call. If the request is done already, this changes nothing.
  worker_->withdraw(*this, Cancelled{});
}

void WorkerCall::start() {
  started_ = SteadyClock::now();
  due_ = after(started_, request_.timeout);
  worker_->submit(*this);
}

void WorkerCall::glance() {
  worker_->glance(*this);
}

void WorkerCall::watch(std::vector<pollfd>& polls) {
  worker_->watch(*this, polls);
}

/// Followers need a bell, leaders do not. It is opened only when a call first has to follow.
void WorkerCall::watch_bell(std::vector<pollfd>& polls, const os::Calls& calls) {
  if (!bell_) bell_ = open_bell(calls);
  must_look_again_ = !bell_;
  if (bell_) polls.push_back({.fd = bell_.get(), .events = POLLIN, .revents = 0});
}

void WorkerCall::on_polled(std::span<const pollfd> polls) {
  worker_->on_polled(*this, polls);
}

Deadline WorkerCall::due() const {
  // Another thread may have finished the request after the loop checked it. Then there is nothing to poll for, and a
  // deadline in the past ends the wait at once.
  if (is_done()) return {};
  const Deadline due = std::min(due_, worker_->due_of_leader(*this));
  return must_look_again_ ? std::min(due, SteadyClock::now() + kLookAgain) : due;
}

void WorkerCall::on_due() {
  if (SteadyClock::now() >= due_) return worker_->withdraw(*this, TimedOut{request_.timeout});
  // It was not the deadline of the request, so it was one that the leader watches for the process, or only a check.
  worker_->on_due_of_leader(*this);
}

void WorkerCall::cancel() {
  worker_->withdraw(*this, Cancelled{});
}

void WorkerCall::abandon() {
  worker_->withdraw(*this, Unanswered{"waiting for the worker failed"});
}

}  // namespace grapnel
