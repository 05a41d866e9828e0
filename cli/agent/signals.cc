#include "cli/agent/signals.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include <sys/eventfd.h>
#include <sys/signalfd.h>

namespace grapnel::cli {

namespace {

/// Makes an event descriptor readable.
void raise(const UniqueFd& event) {
  const uint64_t one = 1;
  static_cast<void>(::write(event.get(), &one, sizeof one) == sizeof one);
}

/// Makes it unreadable again. `wake_` is non-blocking, so this returns even if nothing was raised.
void lower(const UniqueFd& event) {
  uint64_t count = 0;
  static_cast<void>(::read(event.get(), &count, sizeof count) == sizeof count);
}

/// The caller may have chosen to ignore a signal (nohup, a shell's background job). That choice is kept.
bool is_ignored(int signal) {
  struct sigaction now{};
  return ::sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

}  // namespace

/// The mask is set before the thread starts, so that no thread of the process takes the signals in the usual way.
Signals::Signals() : wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)), quit_(::eventfd(0, EFD_CLOEXEC)) {
  sigset_t mask;
  sigemptyset(&mask);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    if (!is_ignored(signal)) sigaddset(&mask, signal);
  }
  ::pthread_sigmask(SIG_BLOCK, &mask, nullptr);
  signals_ = UniqueFd(::signalfd(-1, &mask, SFD_CLOEXEC));
  // Kept for `end_at_once`: the line editor may have switched the terminal to single keys.
  termios now{};
  if (::tcgetattr(STDIN_FILENO, &now) == 0) terminal_ = now;
  thread_ = std::jthread([this](const std::stop_token& stop) { wait_for_signals(stop); });
}

Signals::~Signals() {
  thread_.request_stop();
  raise(quit_);
}

std::stop_token Signals::begin_work() {
  const std::scoped_lock lock(mutex_);
  work_.emplace();
  // A signal may have arrived between two pieces of work. The new piece must not begin as if nothing had happened.
  if (interrupted_ || asked_to_end_) work_->request_stop();
  return work_->get_token();
}

void Signals::end_work() {
  const std::scoped_lock lock(mutex_);
  work_.reset();
}

bool Signals::take_interrupt() {
  lower(wake_);
  const std::scoped_lock lock(mutex_);
  // A request to end stays until the process ends, so waiting must not start again.
  if (asked_to_end_) raise(wake_);
  return std::exchange(interrupted_, false);
}

std::optional<int> Signals::asked_to_end() const {
  const std::scoped_lock lock(mutex_);
  return asked_to_end_;
}

/// The body of the thread. `quit_` only ends the wait; `stop` ends the loop.
void Signals::wait_for_signals(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    std::array<pollfd, 2> fds{{{signals_.get(), POLLIN, 0}, {quit_.get(), POLLIN, 0}}};
    if (::poll(fds.data(), fds.size(), -1) < 0) continue;
    signalfd_siginfo info{};
    if ((fds[0].revents & POLLIN) == 0 || ::read(signals_.get(), &info, sizeof info) != sizeof info) continue;
    handle(static_cast<int>(info.ssi_signo));
  }
}

void Signals::handle(int signal) {
  std::optional<std::stop_source> work;
  {
    const std::scoped_lock lock(mutex_);
    const bool is_second = interrupted_ || asked_to_end_;
    if (is_second) end_at_once(signal);
    if (signal == SIGINT) {
      interrupted_ = true;
    } else {
      asked_to_end_ = signal;
    }
    work = work_;
    raise(wake_);
  }
  // Outside the lock: stop callbacks run in this thread, and they may take a while or need the lock.
  if (work) work->request_stop();
}

/// `_exit` runs no destructors. Those could wait for the very work that does not end.
void Signals::end_at_once(int signal) {
  if (terminal_) ::tcsetattr(STDIN_FILENO, TCSANOW, &*terminal_);
  ::_exit(kSignalStatus + signal);
}

}  // namespace grapnel::cli
