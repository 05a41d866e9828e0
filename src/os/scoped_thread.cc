#include "os/scoped_thread.h"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <system_error>

#include "base/unique_fd.h"
#include "os/sandbox.h"
#include "os/signals_blocked.h"

namespace grapnel::os {
namespace {

/// A ruleset that only keeps signals inside; none before Landlock 6.
UniqueFd signal_scope(const Calls& calls) {
  constexpr uint64_t kSignals = 1U << 1;
  constexpr uint64_t kAttributes[] = {0, 0, kSignals};
  if (sandbox_means(calls).landlock < kLandlockKnowsSignals) return {};
  return UniqueFd(calls.landlock_create(kAttributes, sizeof kAttributes, 0));
}

}  // namespace

std::shared_ptr<ScopedThread> ScopedThread::start(const Calls& calls) {
  const UniqueFd ruleset = signal_scope(calls);
  // The proof needs a process that could be signalled without the domain.
  const pid_t parent = ::getppid();
  if (!ruleset || parent < 1 || calls.kill(parent, 0) != 0) return nullptr;
  std::shared_ptr<ScopedThread> out(new ScopedThread(calls));
  try {
    const SignalsBlocked blocked;
    out->thread_ = std::thread([thread = out.get(), fd = ruleset.get()] { thread->serve(fd); });
  } catch (const std::system_error&) {
    return nullptr;
  }
  std::unique_lock lock(out->mutex_);
  out->changed_.wait(lock, [&] { return out->is_ready_; });
  // With another parent meanwhile, it was not shown that ours is out of reach.
  const bool is_inside = out->is_inside_ && ::getppid() == parent;
  lock.unlock();
  return is_inside ? out : nullptr;
}

ScopedThread::~ScopedThread() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

bool ScopedThread::enter(int ruleset) const {
  return calls_.give_up_new_privileges() == 0 && calls_.landlock_enter(ruleset) == 0 && is_confined();
}

bool ScopedThread::is_confined() const {
  const pid_t parent = ::getppid();
  return parent >= 1 && calls_.kill(parent, 0) != 0 && errno == EPERM;
}

void ScopedThread::serve(int ruleset) {
  const bool is_inside = enter(ruleset);
  std::unique_lock lock(mutex_);
  is_inside_ = is_inside;
  is_ready_ = true;
  changed_.notify_all();
  for (;;) {
    changed_.wait(lock, [this] { return is_over_ || work_ != nullptr; });
    if (work_ == nullptr) return;
    (*work_)();
    work_ = nullptr;
    changed_.notify_all();
  }
}

void ScopedThread::run(const std::function<void()>& work) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return work_ == nullptr; });
  work_ = &work;
  changed_.notify_all();
  changed_.wait(lock, [&] { return work_ != &work; });
}

void ScopedThread::kill_all() {
  run([this] {
    // One call is enough: the kernel signals all processes in one step, and a fork that is under way fails because of
    // the signal.
    if (is_confined()) calls_.kill(-1, SIGKILL);
  });
}

}  // namespace grapnel::os
