#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "cli/fleet/courier.h"
#include "fleet/central_store.h"
#include "fleet/keys.h"
#include "fleet/own_journal.h"
#include "serve/world.h"

namespace grapnel::testing {

/// A machine of a fleet: a home of its own, the program that runs there, and its journal.
class FleetMachine {
 public:
  FleetMachine() : journal_(state_dir()) {}
  ~FleetMachine() { kill(); }

  World& world() { return world_; }
  OwnJournal& journal() { return journal_; }
  std::string state_dir() const { return world_.dir() / "home/.local/state/grapnel"; }
  std::string name() const;

  Ended fleet(std::vector<std::string> words) const;
  /// Starts the program that keeps running; `kill` is SIGKILL.
  void start();
  void kill();
  /// Whether it has ended by itself.
  bool has_ended();
  /// The SHA-256 of every record in the journal.
  std::set<std::string> hashes() const;
  /// Sends everything, and waits for it.
  Ended flush() const { return fleet({"flush", "--wait", "200s"}); }

 private:
  World world_;
  OwnJournal journal_;
  World::Started program_;
};

/// Somebody else's computer, with another role in the fleet.
class FleetSeat {
 public:
  ~FleetSeat() { kill(); }

  World& world() { return world_; }
  Ended fleet(std::vector<std::string> words) const;
  /// Starts a verb that keeps running; `kill` is SIGKILL.
  void start(std::vector<std::string> words);
  void kill();
  World::Started& program() { return program_; }

 private:
  World world_;
  World::Started program_;
};

/// Those who run a fleet, with a real nats-server and a real collector, on free ports of this computer.
class Company {
 public:
  /// `database`: "" for a file. Empties the tables of another one. `more`: further words for `init`.
  explicit Company(const std::string& database = "", const std::vector<std::string>& more = {});
  ~Company();

  Ended fleet(std::vector<std::string> words) const;
  const World& world() const { return world_; }
  std::string home(std::string_view name) const {
    return world_.dir() / ("home/.config/grapnel/fleet/" + std::string(name));
  }

  /// A machine that has joined. It does not run yet.
  std::unique_ptr<FleetMachine> join(const std::vector<std::string>& more = {}) const;
  /// The same for one that is there already.
  void let_in(FleetMachine& machine, const std::vector<std::string>& more = {}) const;

  /// Another computer, with a token of that role.
  std::unique_ptr<FleetSeat> seat(const std::string& role) const;

  pid_t server() const { return process("server/nats.pid"); }
  /// A server of a cluster, from 1.
  pid_t node(int number) const { return process("server/" + std::to_string(number) + "/nats.pid"); }
  pid_t collector() const { return process("collector.pid"); }
  /// Ends one with SIGKILL and waits until it is gone.
  void kill(pid_t process) const;
  /// Starts what does not run.
  void up() const;

  fleet::CentralStore store() const;
  /// The hashes of all records in the central store that are of the machine; `rows` is their number.
  std::set<std::string> stored(const std::string& machine, size_t& rows) const;
  /// Every record of the machine has one row, and there is no other.
  void expect_all_stored(const FleetMachine& machine) const;

  /// A connection with the credentials of a role that is at home here, or with others.
  std::unique_ptr<cli::Courier> connect(const std::string& role) const;
  /// With all rights in an account.
  std::unique_ptr<cli::Courier> connect_as_account(const std::string& key) const;
  /// A key of those who run the fleet.
  fleet::KeyPair key(const std::string& name) const;
  std::unique_ptr<cli::Courier> connect_as(const std::string& creds, const std::string& name) const;

  /// A directory with a policy of one rule that denies a command, and its test.
  std::string policy(const std::string& name, const std::string& command) const;
  /// The same with further hooks, and with a script that they find at `{here}/scripts/job`.
  std::string policy_with(const std::string& name, const std::string& hooks, const std::string& script) const;

 private:
  pid_t process(std::string_view file) const;

  World world_;
  std::string database_;
};

void add_records(FleetMachine& machine, int count);
/// Sends everything, and looks whether every record has one row.
void expect_arrived(const Company& company, const FleetMachine& machine);

}  // namespace grapnel::testing
