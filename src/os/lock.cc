#include "os/lock.h"

#include <cerrno>
#include <thread>

#include <sys/file.h>

#include "base/clock.h"

namespace grapnel::os {

namespace {

constexpr std::chrono::milliseconds kRetry{2};

}  // namespace

Result<void> lock(int fd, std::chrono::milliseconds timeout) {
  const Deadline deadline = SteadyClock::now() + timeout;
  while (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return fail_errno("cannot lock");
    if (SteadyClock::now() >= deadline) return fail_errno("cannot lock", EWOULDBLOCK);
    std::this_thread::sleep_for(kRetry);
  }
  return {};
}

void unlock(int fd) {
  ::flock(fd, LOCK_UN);
}

}  // namespace grapnel::os
