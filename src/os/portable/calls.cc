#include "os/calls.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <string>

#include <sys/socket.h>
#include <sys/stat.h>

#include "base/unique_fd.h"

/// The calls with nothing but POSIX. What Linux has beyond that is made of other calls, or missing:
///
///   pipe2       two steps, so a program that the host starts in between inherits the pipe
///   waitid      for P_PIDFD, the descriptor is the socket of the watcher in `spawn.cc`, which ends with the process
///   and is owned by it eventfd     a FIFO without a name; it counts nothing, but it is readable once something was
///   written clone, prlimit, limit_self: there is no such thing
namespace grapnel::os {
namespace {

int plain_fcntl(int fd, int command, int argument) {
  return ::fcntl(fd, command, argument);
}

int set_flags(int fd, int flags) {
  if ((flags & O_CLOEXEC) != 0 && ::fcntl(fd, F_SETFD, FD_CLOEXEC) != 0) return -1;
  if ((flags & O_NONBLOCK) == 0) return 0;
  const int now = ::fcntl(fd, F_GETFL);
  return now < 0 ? -1 : ::fcntl(fd, F_SETFL, now | O_NONBLOCK);
}

int plain_pipe2(int fds[2], int flags) {
  int made[2];
  if (::pipe(made) != 0) return -1;
  if (set_flags(made[0], flags) != 0 || set_flags(made[1], flags) != 0) {
    ::close(made[0]);
    ::close(made[1]);
    return -1;
  }
  fds[0] = made[0];
  fds[1] = made[1];
  return 0;
}

int plain_clone(int (*)(void*), void*, int, void*, int*) {
  errno = ENOSYS;
  return -1;
}

/// Whoever waits for less than a millisecond waits for one. No caller changes the signal mask.
int plain_ppoll(pollfd* fds, nfds_t count, const timespec* timeout, const sigset_t*) {
  if (timeout == nullptr) return ::poll(fds, count, -1);
  const long long wanted = static_cast<long long>(timeout->tv_sec) * 1000 + (timeout->tv_nsec + 999'999) / 1'000'000;
  return ::poll(fds, count, static_cast<int>(std::min<long long>(wanted, INT_MAX)));
}

ssize_t plain_write_quietly(int, const void*, size_t) {
  errno = EOPNOTSUPP;
  return -1;
}

/// The process of a watcher that has seen its end; 0 if it still runs.
pid_t ended(int fd, bool waits) {
  pollfd one{.fd = fd, .events = POLLIN, .revents = 0};
  while (::poll(&one, 1, waits ? -1 : 0) < 0) {
    if (errno != EINTR) return -1;
  }
  if (one.revents == 0) return 0;
  const pid_t pid = ::fcntl(fd, F_GETOWN);
  return pid > 0 ? pid : -1;
}

int plain_waitid(idtype_t type, id_t id, siginfo_t* info, int options) {
  if (type != P_PIDFD) return ::waitid(type, id, info, options);
  const pid_t pid = ended(static_cast<int>(id), (options & WNOHANG) == 0);
  if (pid < 0) {
    errno = ECHILD;
    return -1;
  }
  if (pid > 0) return ::waitid(P_PID, static_cast<id_t>(pid), info, options);
  *info = {};
  return 0;
}

/// Opened for both directions, a FIFO never ends. It has a name only for as long as it is opened.
int plain_eventfd(unsigned value, int) {
  const char* const given = ::getenv("TMPDIR");
  std::string directory = std::string(given != nullptr && *given == '/' ? given : "/tmp") + "/grapnel-bell-XXXXXX";
  if (::mkdtemp(directory.data()) == nullptr) return -1;
  const std::string path = directory + "/bell";
  int fd = -1;
  if (::mkfifo(path.c_str(), 0600) == 0) fd = ::open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
  const int error = errno;
  ::unlink(path.c_str());
  ::rmdir(directory.c_str());
  errno = error;
  const uint64_t count = value;
  if (fd >= 0 && value > 0 && ::write(fd, &count, sizeof count) < 0) {
    ::close(fd);
    return -1;
  }
  return fd;
}

int plain_prlimit(pid_t, int, const rlimit64*, rlimit64*) {
  errno = ENOSYS;
  return -1;
}

long plain_limit_self(int, const rlimit64*) {
  errno = ENOSYS;
  return -1;
}

/// There is no sandbox of POSIX: everything that would make one says so, and `spawn` refuses to start without.
template <typename R, typename... Arguments>
R missing(Arguments...) {
  errno = ENOSYS;
  return R{-1};
}

constexpr Calls kReal{
    .pipe2 = plain_pipe2,
    .fcntl = plain_fcntl,
    .clone = plain_clone,
    .ppoll = plain_ppoll,
    .read = ::read,
    .write = ::write,
    .write_quietly = plain_write_quietly,
    .waitid = plain_waitid,
    .kill = ::kill,
    .eventfd = plain_eventfd,
    .prlimit = plain_prlimit,
    .limit_self = plain_limit_self,
    .open_place = missing,
    .landlock_create = missing,
    .landlock_allow = missing,
    .landlock_enter = missing,
    .give_up_new_privileges = missing,
    .drop_capability = missing,
    .install_filter = missing,
};

}  // namespace

const Calls& real_calls() {
  return kReal;
}

}  // namespace grapnel::os
