#include "cli/agent/waiting_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <array>

#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>

#include "cli/agent/signals.h"

namespace grapnel::cli {

namespace {

/// The signals that end an agent in order.
sigset_t passed_on() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, signal);
  return set;
}

/// A terminal sends its signals to all processes of the foreground, so the agent has them already; except that only the
/// leader of the session learns of the terminal's end.
bool is_for_this_process(const signalfd_siginfo& info) {
  const bool was_sent = info.ssi_code <= 0;
  return was_sent || (info.ssi_signo == SIGHUP && ::getsid(0) == ::getpid());
}

/// Ends this process as the agent ended.
[[noreturn]] void end_like(pid_t agent) {
  int status = 0;
  while (::waitpid(agent, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) ::_exit(WEXITSTATUS(status));
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : SIGKILL;
  const sigset_t all = passed_on();
  ::sigprocmask(SIG_UNBLOCK, &all, nullptr);
  ::signal(signal, SIG_DFL);
  ::raise(signal);
  ::_exit(kSignalStatus + signal);
}

/// The life of the first process. The agent's end closes the other end of `report`.
[[noreturn]] void wait_for(pid_t agent, const UniqueFd& report) {
  const sigset_t set = passed_on();
  const UniqueFd signals(::signalfd(-1, &set, SFD_CLOEXEC));
  for (;;) {
    std::array<pollfd, 2> fds{{{report.get(), POLLIN, 0}, {signals.get(), POLLIN, 0}}};
    if (::poll(fds.data(), fds.size(), -1) < 0) continue;
    signalfd_siginfo info{};
    if ((fds[1].revents & POLLIN) != 0 && ::read(signals.get(), &info, sizeof info) == sizeof info &&
        is_for_this_process(info)) {
      ::kill(agent, static_cast<int>(info.ssi_signo));
    }
    if (fds[0].revents == 0) continue;
    int status = 0;
    if (::read(report.get(), &status, sizeof status) == sizeof status) ::_exit(status);
    end_like(agent);
  }
}

}  // namespace

WaitingProcess WaitingProcess::split() {
  WaitingProcess out;
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return out;
  const UniqueFd read_end(ends[0]);
  UniqueFd write_end(ends[1]);
  // The signals wait until it is clear which of the processes handles them.
  const sigset_t set = passed_on();
  sigset_t before;
  ::sigprocmask(SIG_BLOCK, &set, &before);
  const pid_t first = ::getpid();
  const pid_t agent = ::fork();
  if (agent > 0) {
    write_end.reset();
    wait_for(agent, read_end);
  }
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  if (agent < 0) return out;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  // The first process may have ended before that.
  if (::getppid() != first) ::_exit(kSignalStatus + SIGKILL);
  out.report_ = std::move(write_end);
  return out;
}

void WaitingProcess::release(int status) {
  if (report_.get() < 0) return;
  ::prctl(PR_SET_PDEATHSIG, 0);
  ::setsid();
  const UniqueFd nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing.get(), fd);
  const sigset_t set = passed_on();
  ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  static_cast<void>(::write(report_.get(), &status, sizeof status) == sizeof status);
  report_.reset();
}

void BackgroundHooks::run(std::function<void()> work) {
  ++running_;
  pool_->post([this, work = std::move(work)] {
    work();
    --running_;
  });
}

}  // namespace grapnel::cli
