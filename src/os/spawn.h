#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <sys/types.h>

#include "base/environment.h"
#include "base/error.h"
#include "base/unique_fd.h"
#include "os/calls.h"
#include "os/sandbox.h"
#include "os/scoped_thread.h"
#include "os/tag.h"

/// Starts a program from inside of somebody else's process.
///
/// It uses `clone(CLONE_VM | CLONE_VFORK | CLONE_PIDFD)`: none of the host's memory is copied, however large it is, and
/// the pidfd exists before the child can end. The calling thread sleeps until the child has executed its program or has
/// failed. So an error in any step comes back as a value, through the memory that both share.
///
/// The child has its own process group from its first instruction and inherits no peculiarities of its host. Every
/// standard signal has its default action (an ignored SIGPIPE or SIGCHLD would otherwise survive exec), no signal is
/// blocked, and only the three given descriptors are open, whether or not the host marked its own close-on-exec.
///
/// Between clone and exec the child shares our memory, our thread-local storage and the sanitizers' bookkeeping. So
/// that part only makes system calls, on a stack of its own, with all signals blocked until every handler is gone.
namespace grapnel::os {

/// What to start. It borrows everything, for the duration of the call.
struct SpawnSpec {
  const char* path = "";              ///< absolute, or relative to `cwd`; never searched for
  std::span<const std::string> argv;  ///< with argv[0]
  const Environment& env;             ///< the complete environment; nothing else is inherited
  const char* cwd = "";               ///< "" for the host's directory
  int stdin_fd = -1;
  int stdout_fd = -1;
  int stderr_fd = -1;
  const Sandbox* sandbox = nullptr;  ///< null: it may do what we may do
};

/// How everything that a child has started is found and ended, from the weakest to the strongest.
enum class Means : uint8_t {
  Group,       ///< only its process group
  Mark,        ///< by its tag, which a process can take off
  SealedMark,  ///< by its tag, which nothing in the sandbox can take off
  Scope,       ///< by a thread that cannot signal anything else (scoped_thread.h)
};
/// `group`, `mark`, `sealed mark`, `scope`.
std::string_view to_string(Means means);

/// A child that runs.
struct Spawned {
  pid_t pid = -1;  ///< also the id of its process group
  UniqueFd pidfd;
  Tag tag;  ///< finds everything that it starts; without a level if it could not be tagged
  std::shared_ptr<ScopedThread> scope = {};  ///< ends everything that it starts; null if there is none
  Means means = Means::Group;
};

/// Starts a program. After a failure nothing is left, neither a child nor a descriptor. Thread: any.
///
/// Fails: BadInput if a string contains a NUL byte; Unavailable if the sandbox could not be put on; otherwise System.
/// The message distinguishes between a missing directory, program, interpreter, permission or executable format.
Result<Spawned> spawn(const SpawnSpec& spec, const Calls& calls);

}  // namespace grapnel::os
