#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>

#include <sys/types.h>

#include "grapnel/error.h"

#include "base/environment.h"
#include "base/unique_fd.h"
#include "cli/thin/wire.h"
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

/// What a process sees: its mounts, users, network and root directory, as files of the kernel's. All 0: it cannot be
/// told.
using Surroundings = std::array<std::pair<dev_t, ino_t>, 4>;
Surroundings surroundings_of(const std::string& process);

/// Whether the other end is a process of the same user in these surroundings: for another one, as in a container or a
/// sandbox, hooks would run where it could not have run them itself.
bool is_peer_in(const Surroundings& ours, int connection);

/// This program's file as it is on disk now, where it was started from.
EngineIdentity identity_of(const std::string& program);

}  // namespace grapnel::cli
