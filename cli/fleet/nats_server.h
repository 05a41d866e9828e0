#pragma once

#include <string>

#include "cli/fleet/fleet_files.h"

/// The server of a fleet on this computer: Debian's nats-server, configured and started by us.
namespace grapnel::cli {

/// Writes the configuration, the certificate, and the statements about operator and accounts. Fails: System.
Result<void> write_server_files(const FleetHome& home, const FleetHome::State& state, const fleet::KeyPair& op,
                                const std::vector<std::string>& hosts, std::string& authority);

/// Starts the server and waits until it answers. Does nothing if it runs. Fails: NotFound without nats-server;
/// Unavailable with what it said.
Result<void> start_server(const FleetHome& home, const FleetHome::State& state, const Environment& env);

/// Makes the streams and consumers that are missing. Needs the account's key. Fails: Unavailable, Refused.
Result<void> make_streams(const FleetHome& home, const FleetHome::State& state);

/// Gives the server the new statement about an account, with which it cuts off who was revoked. Fails: Unavailable,
/// Refused.
Result<void> update_account(const FleetHome& home, const FleetHome::State& state, fleet::Account account);

/// The process that wrote its number into the file; 0 if none runs.
pid_t running_process(const std::string& pid_file, const std::string& program);

/// A port on 127.0.0.1 that is free now. Fails: System.
Result<uint16_t> free_port();

}  // namespace grapnel::cli
