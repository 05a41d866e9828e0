#pragma once

#include <string>

#include "cli/fleet/fleet_files.h"

/// The servers of a fleet: Debian's nats-server, configured by us, and started by us where they are on this computer.
namespace grapnel::cli {

/// A server, and where its files are. One of a cluster names its files from there, so that the directory can be taken
/// to the computer on which it shall run.
struct ServerPlace {
  std::string name;
  std::string directory;
  std::string listen;
  std::string routes;  ///< where it waits for the other servers; "" for a single server
  bool is_here = true;

  std::string path(std::string_view file) const { return directory + "/" + std::string(file); }
};
std::vector<ServerPlace> places_of(const FleetHome& home, const FleetHome::State& state);

/// A server of a cluster that listens there; port 0: any that is free here. Fails: BadInput, System.
Result<ServerNode> make_node(const std::string& listen);

/// Writes the configuration, the certificate, and the statements about operator and accounts. Fails: System.
Result<void> write_server_files(const FleetHome& home, const FleetHome::State& state, const fleet::KeyPair& op,
                                const std::vector<std::string>& hosts, std::string& authority);

/// Starts the servers of this computer that do not run, and waits until one answers. Fails: NotFound without
/// nats-server; Unavailable with what it said.
Result<void> start_server(const FleetHome& home, const FleetHome::State& state, const Environment& env);

/// Makes the streams and consumers that are missing. Needs the account's key. Fails: Unavailable, Refused.
Result<void> make_streams(const FleetHome& home, const FleetHome::State& state);

/// Gives the server the new statement about an account, with which it cuts off who was revoked. Fails: Unavailable,
/// Refused.
Result<void> update_account(const FleetHome& home, const FleetHome::State& state, fleet::Account account);

/// The process that wrote its number into the file; 0 if none runs.
pid_t running_process(const std::string& pid_file, std::string_view program);

/// Whether a server that listens there can only be on this computer.
bool is_loopback(std::string_view listen);
/// Any port of this computer that is free now, or the one that is wanted. Fails: BadInput when it is taken, System.
Result<uint16_t> free_port(uint16_t wanted = 0);

struct HostAndPort {
  std::string host;
  uint16_t port = 0;
};
/// Reads `HOST:PORT`. Fails: BadInput.
Result<HostAndPort> read_address(const std::string& text, unsigned most = 65535);

}  // namespace grapnel::cli
