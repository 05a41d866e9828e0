#include "cli/fleet/stop_signal.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <array>

#include <sys/eventfd.h>
#include <sys/signalfd.h>

#include "os/files.h"

namespace grapnel::cli {

StopSignal::StopSignal() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&set, signal);
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  signals_ = UniqueFd(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  wakeups_ = UniqueFd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
}

bool StopSignal::wait(std::chrono::milliseconds patience) {
  std::array<pollfd, 2> fds = {{{signals_.get(), POLLIN, 0}, {wakeups_.get(), POLLIN, 0}}};
  if (::poll(fds.data(), fds.size(), static_cast<int>(patience.count())) <= 0) return is_stopped_;
  uint64_t count = 0;
  if (fds[1].revents != 0) static_cast<void>(::read(wakeups_.get(), &count, sizeof count));
  if (fds[0].revents != 0) is_stopped_ = true;
  return is_stopped_;
}

void StopSignal::wake() const {
  const uint64_t one = 1;
  static_cast<void>(::write(wakeups_.get(), &one, sizeof one));
}

Result<PidFile> PidFile::take(const std::string& path, std::chrono::milliseconds patience) {
  if (auto made = os::make_parent_dirs(path, 0700); !made) return std::unexpected(made.error());
  auto lock = os::lock_file(path, patience);
  if (!lock) return fail(Errc::Refused, "another process does this already; its number is in " + path);
  const std::string number = std::to_string(::getpid()) + "\n";
  if (::ftruncate(lock->get(), 0) != 0 || ::pwrite(lock->get(), number.data(), number.size(), 0) < 0) {
    return fail_errno("cannot write " + path);
  }
  return PidFile(path, std::move(*lock));
}

// The file stays: if it were removed, a process that waits for its lock could hold that of a file without a name.
PidFile::~PidFile() {
  if (lock_) static_cast<void>(::ftruncate(lock_.get(), 0));
}

}  // namespace grapnel::cli
