#pragma once

#include <span>
#include <string>

#include <sys/types.h>

#include "base/environment.h"
#include "base/error.h"
#include "base/unique_fd.h"
#include "os/calls.h"

/// Starting a program from inside somebody else's process.
///
/// `clone(CLONE_VM | CLONE_VFORK | CLONE_PIDFD)`: nothing of the host's memory is copied, however large it is, and the
/// pidfd exists before the child can end. The calling thread sleeps until the child has executed its program or has
/// failed, so an error of any step in between comes back as a value, through the memory both share.
///
/// The child is its own process group from its first instruction, and owes nothing to its host: every standard signal
/// has its default action (an ignored SIGPIPE or SIGCHLD would otherwise pass through exec), none is blocked, and no
/// descriptor but the three given ones is open, whether or not the host marked its own close-on-exec.
///
/// Between clone and exec the child shares our memory, our thread-local storage and the sanitizers' bookkeeping, so
/// that part makes system calls only, on a stack of its own, with all signals blocked until every handler is gone.
namespace grapnel::os {

/// What to start. Borrows everything; must outlive the call only.
struct SpawnSpec {
  const char* path = "";              ///< absolute, or relative to `cwd`; never searched for
  std::span<const std::string> argv;  ///< with argv[0]
  const Environment& env;             ///< nothing else is inherited
  const char* cwd = "";               ///< "" is the host's
  int stdin_fd = -1;
  int stdout_fd = -1;
  int stderr_fd = -1;
};

struct Spawned {
  pid_t pid = -1;  ///< also the id of its process group
  UniqueFd pidfd;
};

/// Starts a program. On failure nothing is left: no child, no descriptor. Thread: any.
/// Fails: BadInput when a string holds a NUL byte; System otherwise, the message telling a missing directory from a
/// missing program, interpreter, permission or executable format.
Result<Spawned> spawn(const SpawnSpec& spec, const Calls& calls);

}  // namespace grapnel::os
