#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fleet/batch.h"
#include "fleet/sql.h"

/// The records of all machines, in SQLite or PostgreSQL, with the same tables.
///
///   records     one row for each record: the columns that people ask for, and the record itself
///   runs        one row for each hook of a record
///   registries  the configurations that records name
///   marks       how far the records of each machine are here, without a gap
///   machines    what each machine last said about itself
///   counts      how many records of each machine have arrived; whoever removes old rows does not change it
///
/// A record is known by its machine and its hash, so whatever is sent twice has one row. Rows and marks change in one
/// transaction, and its commit is the acknowledgement on which machines rely; NATS only carries. Thread: one.
namespace grapnel::fleet {

/// A batch, and who sent it, as the server saw it.
struct Arrival {
  std::string machine;
  Batch batch;
};

/// Which records people ask for. Empty members do not matter.
struct RecordFilter {
  std::string machine, since, until, verdict, event, tool, hook, session, text, id, agent;
  bool would = false;
  int64_t before = 0;    ///< only rows with a smaller number; 0: all
  int64_t after = 0;     ///< only rows with a greater number
  bool forward = false;  ///< the oldest that fit, not the newest; so it is with `after`, too
  int64_t limit = 50;
};

struct CentralRecord {
  int64_t number = 0;
  std::string machine;
  Json record;
  std::string hash = {};

  bool operator==(const CentralRecord&) const = default;
};

/// What hooks of that name did on all machines.
struct HookCounts {
  std::string name;
  int64_t runs = 0, failures = 0, denials = 0, asks = 0, would_deny = 0, would_ask = 0, skipped = 0, machines = 0;
  std::string last;
};

struct MachineRow {
  std::string name;
  std::string seen;
  std::string joined;
  Json state;  ///< its heartbeat (cli/fleet/machine.cc)
  int64_t records = 0;
};

class RecordRows;

class CentralStore {
 public:
  /// Opens the database and makes its tables. Fails: System, Unavailable.
  static Result<CentralStore> open(const std::string& address);

  /// Stores all of it in one transaction. Returns the marks of the machines, as they are now. Fails: System,
  /// Unavailable; then nothing is stored.
  Result<std::map<std::string, Position>> take(const std::vector<Arrival>& arrivals);

  /// Whether the connection works and the tables are there.
  bool is_alive();
  Result<std::map<std::string, Position>> marks();
  /// The rows that are there, counted one by one.
  Result<int64_t> count();
  /// How many records have ever arrived, as fast with a billion rows as with one.
  Result<int64_t> count_arrived();
  /// The newest that fit, oldest first; with `after`, the oldest that fit.
  Result<std::vector<CentralRecord>> find(const RecordFilter& filter);
  /// Whether a reader who had the row of that number and hash may go on behind it. False if the store is another one
  /// now, or older: the row is something else, or its number is still to come.
  Result<bool> goes_on_behind(int64_t number, const std::string& hash);
  Result<Json> registry(const std::string& digest);
  /// With the verdict `deny`, only denials are counted.
  Result<std::vector<HookCounts>> count_hooks(const RecordFilter& filter);

  /// What machines said of themselves, and when. In one transaction, because there may be thousands every second.
  struct Said {
    Json state;
    std::string time;
  };
  Result<void> note_machines(const std::map<std::string, Said>& said);
  Result<void> note_joined(const std::string& name, const std::string& public_key, const std::string& now);
  /// The key with which a machine joined; "" if it is not known.
  Result<std::string> key_of(const std::string& name);
  /// Those whose names follow, in their order.
  Result<std::vector<MachineRow>> machines(const std::string& after = {}, int64_t limit = INT64_MAX);
  Result<void> forget_machine(const std::string& name);

 private:
  explicit CentralStore(std::unique_ptr<Sql> sql) : sql_(std::move(sql)) {}

  Result<void> make_tables();
  Result<std::map<std::string, Position>> take_all(const std::vector<Arrival>& arrivals, RecordRows& rows);
  Result<Position> mark_of(const std::string& machine);
  Result<int64_t> next_number();

  std::unique_ptr<Sql> sql_;
};

/// The mark after a batch: the end of the batch if nothing is missing between the two, or else the same mark.
Position advanced(const Position& mark, const Batch& batch);

}  // namespace grapnel::fleet
