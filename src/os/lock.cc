#include "os/lock.h"

#include <cerrno>
#include <thread>

#include <sys/file.h>

namespace grapnel::os {

namespace {

constexpr std::chrono::milliseconds kRetry{2};

}  // namespace

Result<void> lock(int fd, std::chrono::milliseconds timeout) {
  // flock has no timeout, so this polls. It counts attempts instead of time: while the machine is suspended, nobody can
  // release the lock.
  for (auto tries = timeout / kRetry; ::flock(fd, LOCK_EX | LOCK_NB) != 0; --tries) {
    if (errno != EWOULDBLOCK && errno != EINTR) return fail_errno("cannot lock");
    if (tries <= 0) return fail_errno("cannot lock", EWOULDBLOCK);
    std::this_thread::sleep_for(kRetry);
  }
  return {};
}

void unlock(int fd) {
  ::flock(fd, LOCK_UN);
}

}  // namespace grapnel::os
