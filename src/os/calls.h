#pragma once

#include <poll.h>

#include <csignal>
#include <ctime>

#include <linux/filter.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>

/// The system calls that running a hook needs.
///
/// Every call that can fail goes through one table, which is passed by reference, so there is no global to replace.
/// Production code uses `real_calls()`. The fault tests pass a table that makes call number N fail, for every N, and
/// check that nothing leaks and that no failure is taken for consent. `close` is not in the table, because nothing can
/// be done about a failing close.
namespace grapnel::os {

struct Calls {
  int (*pipe2)(int fds[2], int flags);
  int (*fcntl)(int fd, int command, int argument);
  int (*clone)(int (*child)(void*), void* stack_top, int flags, void* argument, int* pidfd);
  int (*ppoll)(pollfd* fds, nfds_t count, const timespec* timeout, const sigset_t* mask);
  ssize_t (*read)(int fd, void* buffer, size_t size);
  ssize_t (*write)(int fd, const void* bytes, size_t size);
  /// Raises no SIGPIPE. Fails with EOPNOTSUPP before Linux 6.18.
  ssize_t (*write_quietly)(int fd, const void* bytes, size_t size);
  /// Knows the status of a process that nobody can wait for any more, if the kernel does.
  int (*waitid)(idtype_t type, id_t id, siginfo_t* info, int options);
  int (*kill)(pid_t pid, int signal);
  int (*eventfd)(unsigned value, int flags);
  /// Reads the limits of a process, 0 for our own.
  int (*prlimit)(pid_t pid, int resource, const rlimit64* limit, rlimit64* old);
  /// Sets a limit of the calling process. It runs between clone and exec, in the memory of a sleeping parent, see
  /// `spawn.h`.
  long (*limit_self)(int resource, const rlimit64* limit);

  /// Opens a file or a directory only as a place (`O_PATH`).
  int (*open_place)(const char* path);
  /// Makes a Landlock ruleset; without attributes it returns the version of Landlock.
  int (*landlock_create)(const void* attributes, size_t size, unsigned flags);
  int (*landlock_allow)(int ruleset, const void* rule);
  // These four restrict the calling thread for ever. They run between clone and exec, like `limit_self`, and in the
  // thread of a `ScopedThread`.
  long (*landlock_enter)(int ruleset);
  long (*give_up_new_privileges)();
  long (*drop_capability)(unsigned long capability);
  long (*install_filter)(const sock_fprog* filter);
};

/// The kernel itself. Thread: any.
const Calls& real_calls();

}  // namespace grapnel::os
