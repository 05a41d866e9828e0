#pragma once

#include <functional>
#include <optional>
#include <string>

#include <sys/types.h>

#include "base/unique_fd.h"

/// Who is at the other end of a socket. The kernel is asked, because an agent's tools run as the same user and could
/// say anything.
namespace grapnel {

/// Why a process may not speak for a person although it is one of ours; "" if it may. The command line knows which
/// processes are agents.
using PeerObjection = std::function<std::string(pid_t)>;

struct Peer {
  pid_t pid = 0;
  UniqueFd handle;  ///< a pidfd: the number may be used again, the handle is not
};

/// The process that connected, or that listens. Nothing if it is of another user or cannot be named here.
std::optional<Peer> peer_of(int connection);

/// Whether the process still is the one that connected.
bool is_alive(const Peer& peer);

/// Whether a process is one of Grapnel's programs: it runs the same file as this process, or `grapnel-engine`,
/// `grapnel-ui` or `grapnel-fleet` beside it, which nobody else may write, and nobody traces it.
bool is_own_process(pid_t pid);

}  // namespace grapnel
