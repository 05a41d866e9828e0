#include "os/calls.h"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>

#include <linux/seccomp.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#if defined(__SANITIZE_THREAD__)
#define GRAPNEL_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define GRAPNEL_TSAN 1
#endif
#endif

#ifdef GRAPNEL_TSAN
// ThreadSanitizer treats every clone() as a fork and resets its state in the child, which shares our memory. It does
// not intercept glibc's other name for the same function.
extern "C" int __clone(int (*)(void*), void*, int, void*, ...) noexcept;
#endif

namespace grapnel::os {
namespace {

/// fcntl and clone are variadic, so they cannot be put into the table directly.
int call_fcntl(int fd, int command, int argument) {
  return ::fcntl(fd, command, argument);
}

int call_clone(int (*child)(void*), void* stack_top, int flags, void* argument, int* pidfd) {
#ifdef GRAPNEL_TSAN
  return __clone(child, stack_top, flags, argument, pidfd);
#else
  return ::clone(child, stack_top, flags, argument, pidfd);
#endif
}

/// The offset -1 means "at the current position", as `write` does it.
ssize_t call_write_quietly(int fd, const void* bytes, size_t size) {
  constexpr int kNoSignal = 0x100;  // RWF_NOSIGNAL, which Debian 12's headers lack
  const iovec part{const_cast<void*>(bytes), size};
  return ::pwritev2(fd, &part, 1, -1, kNoSignal);
}

/// What `PIDFD_GET_INFO` returns, which Debian 12's headers lack.
struct PidfdInfo {
  uint64_t mask;
  uint64_t cgroup;
  std::array<uint32_t, 11> ids;
  int32_t exit_code;
};
static_assert(sizeof(PidfdInfo) == 64);

/// The status of a process that the kernel has reaped by itself, because the host ignores SIGCHLD. Linux keeps it with
/// the pidfd since 6.15; false on older kernels.
bool find_status(int pidfd, siginfo_t& info) {
  constexpr uint64_t kExit = 1U << 3;
  PidfdInfo found{.mask = kExit, .cgroup = 0, .ids = {}, .exit_code = 0};
  constexpr unsigned long kGetInfo = _IOWR(0xFF, 11, PidfdInfo);
  if (::ioctl(pidfd, kGetInfo, &found) != 0 || (found.mask & kExit) == 0) return false;
  info = {};
  info.si_pid = static_cast<pid_t>(found.ids[0]);
  if (info.si_pid == 0) info.si_pid = -1;  // the id is not ours any more; it only has to differ from "still running"
  const bool is_exit = WIFEXITED(found.exit_code);
  info.si_code = is_exit ? CLD_EXITED : CLD_KILLED;
  info.si_status = is_exit ? WEXITSTATUS(found.exit_code) : WTERMSIG(found.exit_code);
  return true;
}

int call_waitid(idtype_t type, id_t id, siginfo_t* info, int options) {
  const int failed = ::waitid(type, id, info, options);
  const bool is_gone = failed != 0 && errno == ECHILD && type == P_PIDFD && (options & WNOWAIT) == 0;
  if (!is_gone) return failed;
  if (find_status(static_cast<int>(id), *info)) return 0;
  errno = ECHILD;
  return failed;
}

int call_eventfd(unsigned value, int flags) {
  return ::eventfd(value, flags);
}

int call_prlimit(pid_t pid, int resource, const rlimit64* limit, rlimit64* old) {
  return static_cast<int>(::syscall(SYS_prlimit64, pid, resource, limit, old));
}

// What runs between clone and exec, see spawn.cc.
#define GRAPNEL_IN_CHILD \
  __attribute__((noinline, no_sanitize("address"), no_sanitize("undefined"), no_sanitize("thread")))

GRAPNEL_IN_CHILD long call_limit_self(int resource, const rlimit64* limit) {
  return ::syscall(SYS_prlimit64, 0, resource, limit, nullptr);
}

int call_open_place(const char* path) {
  return ::open(path, O_PATH | O_CLOEXEC);
}

// Debian 12's C library has no functions for Landlock. The numbers are the same on all machines.
constexpr long kLandlockCreate = 444;
constexpr long kLandlockAdd = 445;
constexpr long kLandlockEnter = 446;

int call_landlock_create(const void* attributes, size_t size, unsigned flags) {
  return static_cast<int>(::syscall(kLandlockCreate, attributes, size, flags));
}

int call_landlock_allow(int ruleset, const void* rule) {
  constexpr int kBelowPath = 1;
  return static_cast<int>(::syscall(kLandlockAdd, ruleset, kBelowPath, rule, 0));
}

GRAPNEL_IN_CHILD long call_landlock_enter(int ruleset) {
  return ::syscall(kLandlockEnter, ruleset, 0);
}

GRAPNEL_IN_CHILD long call_give_up_new_privileges() {
  return ::syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

GRAPNEL_IN_CHILD long call_drop_capability(unsigned long capability) {
  return ::syscall(SYS_prctl, PR_CAPBSET_DROP, capability, 0, 0, 0);
}

GRAPNEL_IN_CHILD long call_install_filter(const sock_fprog* filter) {
  return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, filter);
}

constexpr Calls kReal{
    .pipe2 = ::pipe2,
    .fcntl = call_fcntl,
    .clone = call_clone,
    .ppoll = ::ppoll,
    .read = ::read,
    .write = ::write,
    .write_quietly = call_write_quietly,
    .waitid = call_waitid,
    .kill = ::kill,
    .eventfd = call_eventfd,
    .prlimit = call_prlimit,
    .limit_self = call_limit_self,
    .open_place = call_open_place,
    .landlock_create = call_landlock_create,
    .landlock_allow = call_landlock_allow,
    .landlock_enter = call_landlock_enter,
    .give_up_new_privileges = call_give_up_new_privileges,
    .drop_capability = call_drop_capability,
    .install_filter = call_install_filter,
};

}  // namespace

const Calls& real_calls() {
  return kReal;
}

}  // namespace grapnel::os
