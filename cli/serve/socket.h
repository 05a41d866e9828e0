#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "grapnel/error.h"

#include "base/environment.h"
#include "base/unique_fd.h"
#include "cli/client/wire.h"
#include "os/files.h"

/// The socket of a user's server: where it is, and who may connect to it.
namespace grapnel::cli {

/// The path of the socket: in the runtime directory, so that it belongs to one user and goes with the session.
std::string server_socket_path(const Environment& env);

/// The one socket that listens. It is made under a lock that is held as long as the object lives: if two servers start
/// at the same time, only one gets the lock, and a socket file without a lock belongs to a server that no longer runs.
class ListeningSocket {
 public:
  /// Fails: Refused when another server runs, System.
  static Result<ListeningSocket> open(const Environment& env);
  ListeningSocket(ListeningSocket&&) = default;
  ~ListeningSocket();

  int fd() const { return socket_.get(); }
  const std::string& path() const { return path_; }
  /// False when the file was removed or replaced: then clients cannot find this socket any more.
  bool is_in_place() const;
  /// Wakes the threads that wait for a connection, lets no new clients in, and makes room for another server.
  void close_door();

 private:
  ListeningSocket(std::string path, UniqueFd lock, UniqueFd socket);

  std::string path_;
  UniqueFd lock_;
  UniqueFd socket_;
  std::optional<os::FileStamp> stamp_;
};

/// A connection to the server of this environment's user. Fails: NotFound when none runs, Refused when it belongs to
/// another user.
Result<UniqueFd> connect_to_server(const Environment& env);

/// What a process sees of the machine, as numbers of the kernel; 0 where the kernel does not report one.
struct Namespaces {
  uint64_t root_mount = 0;  ///< the root's mount id, which differs between mount namespaces
  uint64_t root_inode = 0;
  uint64_t network = 0;

  bool operator==(const Namespaces&) const = default;
  bool are_known() const { return root_mount != 0 && root_inode != 0 && network != 0; }
};

/// The namespaces of a process. `process` is its directory in /proc; `socket` is a socket that it made, or our end of a
/// connection from it.
Namespaces namespaces_of(const std::string& process, int socket);

/// Whether the other end is a process of the same user with the same namespaces. A process in a container or a sandbox
/// is refused, because the server would run its hooks outside of that sandbox.
///
/// The kernel is asked, since a client in a sandbox may have a reason to lie. User namespaces are different: one
/// without its own mounts or network confines nothing, so there the client's own word about its user id is enough
/// (RequestHead::user).
bool is_peer_in(const Namespaces& ours, int connection);

/// The process at the other end of a connection; 0 if it is not known.
pid_t peer_process(int connection);

/// The identity of a program's file as it is on disk now; all zero when it is gone.
EngineIdentity identity_of(const std::string& program);

}  // namespace grapnel::cli
