#include "os/cancel.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>

#include <sys/eventfd.h>

namespace grapnel::os {

/// A flag and a descriptor, without a lock, so that `cancel` may run in a signal handler. The order makes sure that no
/// cancellation is missed: `cancel` sets the flag before it looks for a descriptor, and `poll_fd` publishes the
/// descriptor before it looks at the flag. Whichever comes second sees the other and rings the bell.
class CancelState {
 public:
  CancelState() = default;
  CancelState(const CancelState&) = delete;
  CancelState& operator=(const CancelState&) = delete;
  ~CancelState() {
    if (const int fd = fd_.load(); fd >= 0) ::close(fd);
  }

  bool cancelled() const { return cancelled_.load(); }

  void cancel() {
    // A signal handler must leave errno alone.
    const int saved = errno;
    cancelled_.store(true);
    ring(fd_.load());
    errno = saved;
  }

  /// Two threads may make a descriptor at once; the first one is kept.
  int poll_fd(const Calls& calls) {
    if (const int fd = fd_.load(); fd >= 0) return fd;
    const int made = calls.eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (made < 0) return -1;
    int published = -1;
    if (!fd_.compare_exchange_strong(published, made)) {
      ::close(made);
      return published;
    }
    if (cancelled()) ring(made);
    return made;
  }

 private:
  static void ring(int fd) {
    const uint64_t one = 1;
    // This can only fail if the counter is full, and then the descriptor is readable as well.
    if (fd >= 0) [[maybe_unused]]
      const ssize_t n = ::write(fd, &one, sizeof one);
  }

  std::atomic<bool> cancelled_{false};
  std::atomic<int> fd_{-1};
};

bool CancelToken::cancelled() const {
  return state_ && state_->cancelled();
}

int CancelToken::poll_fd(const Calls& calls) const {
  return state_ ? state_->poll_fd(calls) : -1;
}

CancelSource::CancelSource() : state_(std::make_shared<CancelState>()) {}

void CancelSource::cancel() const {
  state_->cancel();
}

bool CancelSource::cancelled() const {
  return state_->cancelled();
}

}  // namespace grapnel::os
