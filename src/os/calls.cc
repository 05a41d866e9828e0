#include "os/calls.h"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <sys/eventfd.h>
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

int call_eventfd(unsigned value, int flags) {
  return ::eventfd(value, flags);
}

constexpr Calls kReal{
    .pipe2 = ::pipe2,
    .fcntl = call_fcntl,
    .clone = call_clone,
    .ppoll = ::ppoll,
    .read = ::read,
    .write = ::write,
    .write_quietly = call_write_quietly,
    .waitid = ::waitid,
    .kill = ::kill,
    .eventfd = call_eventfd,
};

}  // namespace

const Calls& real_calls() {
  return kReal;
}

}  // namespace grapnel::os
