#include "run/process.h"

#include <algorithm>

namespace grapnel {
namespace {

/// How long to sleep between two questions for a status that is late.
constexpr timespec kReapRetry{.tv_sec = 0, .tv_nsec = 1'000'000};

/// How the process ended. Whatever is not an exit was a signal, with or without a core dump.
Ending ending_of(const siginfo_t& info) {
  if (info.si_code == CLD_EXITED) return Exited{info.si_status};
  return Signaled{info.si_status};
}

}  // namespace

Deadline after(Deadline from, std::chrono::milliseconds span) {
  // `from + span` would overflow for a span that means "no limit", so the span is cut to the room that is left.
  const auto room = std::chrono::duration_cast<std::chrono::milliseconds>(Deadline::max() - from);
  return from + std::clamp(span, std::chrono::milliseconds::zero(), room);
}

timespec timeout_until(Deadline due, Deadline now) {
  const auto left = std::max(due - now, Deadline::duration::zero());
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(left);
  return {.tv_sec = seconds.count(), .tv_nsec = std::chrono::nanoseconds(left - seconds).count()};
}

void Process::signal_group(int signal, const os::Calls& calls) const {
  // A hook may have moved itself to another group. That group is not ours, so only the process is signalled then.
  if (calls.kill(-pid_, signal) != 0) calls.kill(pid_, signal);
}

bool Process::query_exit(siginfo_t& info, int options, const os::Calls& calls) const {
  int failed = 0;
  do {
    failed = calls.waitid(P_PIDFD, static_cast<id_t>(pidfd_.get()), &info, options | WEXITED | WNOHANG);
  } while (failed != 0 && errno == EINTR);
  return failed == 0;
}

bool Process::is_unreaped(const os::Calls& calls) const {
  siginfo_t info{};
  return query_exit(info, WNOWAIT, calls) && info.si_pid == pid_;
}

Ending Process::reap(Deadline give_up, const os::Calls& calls) const {
  for (;;) {
    siginfo_t info{};
    if (!query_exit(info, 0, calls)) return StatusLost{};
    // With WNOHANG, success and a pid of 0 mean that the process has not exited yet.
    if (info.si_pid != 0) return ending_of(info);
    if (SteadyClock::now() >= give_up) return StatusLost{};
    calls.ppoll(nullptr, 0, &kReapRetry, nullptr);
  }
}

}  // namespace grapnel
