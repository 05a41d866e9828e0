#include <unistd.h>

#include <algorithm>

#include <sys/eventfd.h>

#include "run/worker.h"

namespace grapnel {
namespace {

/// How often to look for an answer when there was no descriptor for a bell.
constexpr std::chrono::milliseconds kLookAgain{20};

}  // namespace

UniqueFd open_bell(const os::Calls& calls) {
  return UniqueFd(calls.eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
}

void ring_bell(int fd, const os::Calls& calls) {
  const uint64_t one = 1;
  // It can only fail on a counter that is full, which is readable too.
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

void WorkerCall::watch_bell(std::vector<pollfd>& polls, const os::Calls& calls) {
  if (!bell_) bell_ = open_bell(calls);
  must_look_again_ = !bell_;
  if (bell_) polls.push_back({.fd = bell_.get(), .events = POLLIN, .revents = 0});
}

void WorkerCall::on_polled(std::span<const pollfd> polls) {
  worker_->on_polled(*this, polls);
}

Deadline WorkerCall::due() const {
  // It may have been finished since the loop looked, and then there is nothing to poll for.
  if (is_done()) return {};
  const Deadline due = std::min(due_, worker_->due_of_leader(*this));
  return must_look_again_ ? std::min(due, SteadyClock::now() + kLookAgain) : due;
}

void WorkerCall::on_due() {
  if (SteadyClock::now() >= due_) return worker_->withdraw(*this, TimedOut{request_.timeout});
  worker_->on_due_of_leader(*this);
}

void WorkerCall::cancel() {
  worker_->withdraw(*this, Cancelled{});
}

void WorkerCall::abandon() {
  worker_->withdraw(*this, Unanswered{"the worker cannot be waited for"});
}

}  // namespace grapnel
