#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "grapnel/error.h"

#include "base/environment.h"
#include "base/unique_fd.h"
#include "cli/client/wire.h"
#include "os/files.h"

/// The place where a user's server is found, and who may come there.
namespace grapnel::cli {

/// The path of the socket: in the runtime directory, so that it belongs to one user and goes with the session.
std::string server_socket_path(const Environment& env);

/// The one socket that listens. Made under a lock that is held as long as it lives: of two servers that start at once
/// one gets it, and a socket that is there without a lock on it belongs to nobody any more.
class ListeningSocket {
 public:
  /// Fails: Refused when another server runs, System.
  static Result<ListeningSocket> open(const Environment& env);
  ListeningSocket(ListeningSocket&&) = default;
  ~ListeningSocket();

  int fd() const { return socket_.get(); }
  const std::string& path() const { return path_; }
  /// False when the file was removed or replaced: then nobody finds this socket any more.
  bool is_in_place() const;
  /// Wakes whoever waits for a connection, lets nobody new in, and makes room for another server.
  void close_door();

 private:
  ListeningSocket(std::string path, UniqueFd lock, UniqueFd socket);

  std::string path_;
  UniqueFd lock_;
  UniqueFd socket_;
  std::optional<os::FileStamp> stamp_;
};

/// A connection to the server of this environment. Fails: NotFound when there is none, Refused when it is not ours.
Result<UniqueFd> connect_to_server(const Environment& env);

/// What a process sees of the machine. The kernel's numbers; 0 where it does not say.
struct Namespaces {
  uint64_t root_mount = 0;  ///< each set of mounts has its own number for a mount, so this tells of them all
  uint64_t root_inode = 0;
  uint64_t network = 0;

  bool operator==(const Namespaces&) const = default;
  bool are_known() const { return root_mount != 0 && root_inode != 0 && network != 0; }
};

/// Those of a process, a directory of /proc, that made this socket or the one it is connected to.
Namespaces namespaces_of(const std::string& process, int socket);

/// Whether the other end is a process of the same user in these surroundings: for another one, as in a container or a
/// sandbox, hooks would run where it could not have run them itself. The kernel is asked, since in a sandbox a client
/// may have reason to lie. Not so about other users: a user namespace without mounts or a network of its own confines
/// nobody, so there a client's word is enough that it is who it seems to be (RequestHead::user).
bool is_peer_in(const Namespaces& ours, int connection);

/// This program's file as it is on disk now, where it was started from.
EngineIdentity identity_of(const std::string& program);

}  // namespace grapnel::cli
