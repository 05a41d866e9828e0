#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <sys/resource.h>
#include <sys/types.h>

#include "base/clock.h"
#include "os/calls.h"

/// Finds every process that a child has started, wherever it went.
///
/// A child that calls `setsid` leaves its process group and its session, and a child whose parent has ended belongs to
/// nobody. But it keeps its resource limits. So each child gets a limit of its own that means nothing else: the limit
/// of real-time processor time (`RLIMIT_RTTIME`), set to one of 2^40 numbers so large that no process reaches them.
/// That is the tag. `fork` and `exec` pass it on, nobody can raise it without privileges, and a process of the same
/// user can read it. It costs one system call, changes nothing for the child (`sudo` works), and keeps no process of
/// ours in between.
///
/// A process that is tagged may start children with tags of their own (a hook that fires events). Their tags begin with
/// the parent's, so the parent's tag finds them too.
///
/// What escapes: a process that lowers this very limit by itself, and one that runs as another user, whom we could not
/// kill either.
namespace grapnel::os {

/// The tag of a child: its two limits, and how much of them its descendants share.
struct Tag {
  rlimit64 limit{};    ///< what the child gets
  unsigned level = 0;  ///< 1 for a child of an untagged process; 0: there is no tag
};

/// Whether this build marks children at all; POSIX alone has no such mark. Then only process groups are ended, as
/// docs/platforms.md says, and nobody is told so at every turn.
bool can_tag();

/// A new tag for a child of this process. Without a level if this process is nested too deeply, or may not read its own
/// limits. Thread: any.
Tag new_tag(const Calls& calls);

/// Whether a process with this limit has the tag, or one that begins with it.
bool has_tag(const rlimit64& limit, const Tag& tag);

/// A process with the tag that still runs.
struct Remaining {
  pid_t pid = 0;
  uint64_t started = 0;  ///< see `process_start`: ids are used again
  std::string name;      ///< the kernel's short name of its program
};
/// The processes with the tag that `leader` has started and that still run; at most 64.
std::vector<Remaining> find_tagged(const Tag& tag, pid_t leader, const Calls& calls);
/// The ids of up to `most` of them.
std::vector<pid_t> tagged_ids(const Tag& tag, pid_t leader, size_t most, const Calls& calls);

/// Kills all processes with the tag that `leader` has started, again and again until none is left or the time is up.
/// A process that may not be killed, since it runs as another user, is not waited for. False if one is left.
bool end_tagged(const Tag& tag, pid_t leader, Deadline give_up, const Calls& calls);

}  // namespace grapnel::os
