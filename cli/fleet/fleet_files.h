#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/environment.h"
#include "cli/fleet/courier.h"
#include "fleet/manifest.h"
#include "fleet/position.h"
#include "fleet/roles.h"

/// The files of a fleet, on the computer where people run it and on its machines. All of them are for their owner
/// alone (trust/private_file.h).
///
///   ~/.config/grapnel/fleet/       for those who run the fleet
///     fleet.json                   where the server is, the public keys, who was revoked
///     keys/NAME.nk                 seeds: operator, fleet, agents, system, policy, role-ROLE; can be taken offline
///     creds/ROLE.creds             the credentials of the people and programs here
///     server/                      the server's configuration, its certificate and its data; of a cluster, server/1…
///     central.db                   the central store, unless it is PostgreSQL
///
///   ~/.local/state/grapnel/fleet/  for a machine
///     machine.json, machine.creds  which machine this is
///     mark.json                    how far its records are in the central store
///     jobs.json                    how far the jobs that it wants are over
///     policy.json, policy/         the policy that holds here, and the one before
///     shipper.lock                 held by whoever sends records
namespace grapnel::cli {

inline constexpr std::string_view kDefaultChannel = "stable";

/// Where the server is, and whom to believe.
struct FleetAddress {
  std::string url;
  std::string authority;                 ///< PEM
  std::vector<std::string> policy_keys;  ///< public keys that may sign policies
  std::string approver_key;              ///< the public key of the role, which says who may answer for people
  std::string collector_key;             ///< and who may say what has arrived

  std::vector<std::pair<std::string, Json>> members() const;
  static FleetAddress from_json(const Json& json);
};

/// One server of a cluster: where clients and where the other servers reach it, as HOST:PORT.
struct ServerNode {
  std::string clients;
  std::string servers;
};

/// The directory of those who run the fleet.
class FleetHome {
 public:
  explicit FleetHome(const Environment& env);

  const std::string& directory() const { return directory_; }
  std::string path(std::string_view name) const { return directory_ + "/" + std::string(name); }
  std::string server_path(std::string_view name) const { return path("server/" + std::string(name)); }

  struct State {
    FleetAddress address;
    fleet::AccountKeys keys;
    std::string database;
    std::string listen;
    /// The servers of a cluster; empty for a single one.
    std::vector<ServerNode> nodes = {};
  };
  bool exists() const;
  /// Fails: NotFound when there is no fleet here.
  Result<State> load() const;
  Result<void> save(const State& state) const;

  Result<void> save_key(const std::string& name, const fleet::KeyPair& key) const;
  /// Fails: NotFound when the key is elsewhere.
  Result<fleet::KeyPair> key(const std::string& name) const;

  Result<void> save_creds(const std::string& role, const std::string& name, const std::string& text) const;
  /// Fails: NotFound without credentials of that role; BadInput.
  Result<fleet::Creds> creds(const std::string& role) const;
  /// The name of the user of that role, or "".
  std::string name_of(const std::string& role) const;
  /// Connects as the user of that role. Fails: NotFound without credentials; as `Courier::connect`.
  Result<std::unique_ptr<Courier>> connect(const std::string& role) const;

 private:
  std::string directory_;
};

/// The directory of a machine.
class MachineHome {
 public:
  explicit MachineHome(const Environment& env);

  const std::string& directory() const { return directory_; }
  std::string path(std::string_view name) const { return directory_ + "/" + std::string(name); }

  struct State {
    FleetAddress address;
    std::string machine;
    std::string channel;
    std::string joined;
  };
  /// Fails: NotFound when this machine is in no fleet.
  Result<State> load() const;
  Result<void> save(const State& state, const std::string& creds) const;
  std::string creds() const;
  Result<void> save_creds(const std::string& creds) const;

  fleet::Position mark() const;
  Result<void> save_mark(const fleet::Position& mark) const;
  /// No job that a record before it wants is open.
  fleet::Position jobs_mark() const;
  Result<void> save_jobs_mark(const fleet::Position& mark) const;

  Result<std::unique_ptr<Courier>> connect(const State& state) const;

 private:
  std::string directory_;
};

/// A text that a person can copy: where the fleet is, and credentials.
struct Token {
  FleetAddress address;
  std::string role;  ///< `join` for a machine
  std::string name;
  std::string creds;

  std::string to_text() const;
  /// Fails: BadInput.
  static Result<Token> parse(const std::string& text);
};

/// Credentials for a new user of a role. Fails: NotFound when the key of the role is not here.
struct NewUser {
  std::string name;
  std::string public_key;
  std::string creds;
};
Result<NewUser> make_user(const FleetHome& home, const FleetHome::State& state, const std::string& role,
                          const std::string& name, std::chrono::seconds valid_for);

/// `1h`, `30d`. Fails: BadInput.
Result<std::chrono::seconds> read_span(const std::string& text, std::chrono::seconds by_default);

/// Now, as records say it.
std::string now_text();

}  // namespace grapnel::cli
