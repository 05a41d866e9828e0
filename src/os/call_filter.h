#pragma once

#include <vector>

#include <linux/filter.h>
#include <sys/types.h>

/// The system calls that a process in a sandbox may not make, as a program for the kernel (seccomp).
///
/// The program is a tree over the numbers of the calls, so that the kernel has few steps to make when it computes,
/// once, which calls are always allowed. Those cost nothing afterwards.
///
///   always    what goes around other restrictions (io_uring, 32-bit and x32 calls, handles of files), what reaches
///             into other processes (ptrace, limits of others), what only an administrator needs (mount, kexec,
///             clocks), what slows other processes down, and the limit that marks the process (tag.h), so that nothing
///             can take its mark off
///   network   sockets, and what else reaches programs that are not the process's own: shared memory, queues and
///             semaphores of System V, queues of POSIX. A pair of connected sockets stays possible, because programs
///             talk to their children with it
///   truncate  for kernels whose Landlock does not know that truncating is writing
///   protected  signals to these processes, for kernels whose Landlock does not know signals
namespace grapnel::os {

struct CallRules {
  bool allows_network = true;
  bool allows_truncate = true;
  std::vector<pid_t> protected_from_signals;
};

std::vector<sock_filter> call_filter(const CallRules& rules);

}  // namespace grapnel::os
