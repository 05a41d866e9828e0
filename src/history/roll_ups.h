#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <string>

#include "history/database.h"
#include "history/record_facts.h"
#include "history/time_histogram.h"

namespace grapnel {

/// The columns of a record that are numbers of names, and its own number.
struct RecordNumbers {
  int64_t number = 0;
  int64_t time = 0;  ///< milliseconds since 1970
  int64_t event = 0;
  int64_t agent = 0;
  int64_t session = 0;
  int64_t project = 0;
  int64_t tool = 0;
  int64_t registry = 0;
};

/// `would` as the database stores it.
int64_t stored_would(const std::optional<Verdict>& would);

/// Counts the records of one part of an import in memory, and then adds the counts to the roll-ups of the database
/// (schema.h). This is much faster than adding every record on its own.
class RollUps {
 public:
  void add(const RecordFacts& record, const RecordNumbers& numbers);
  void add_run(const RunFacts& run, int64_t hook, const RecordNumbers& numbers);

  /// Adds the counts to those of a file, and starts again with none. Fails: System, BadInput.
  Result<void> store(Database& database, int64_t file);

 private:
  /// The numbers of the first and the last record.
  struct Reach {
    int64_t low = 0;
    int64_t high = 0;
    void add(int64_t number);
  };
  struct HourKey {
    int64_t hour, agent, project, event, tool, verdict, would;
    auto operator<=>(const HourKey&) const = default;
  };
  struct HourCounts {
    int64_t events = 0, failed = 0, rewrites = 0, injects = 0, fail_open = 0, degraded = 0, lost = 0;
    Reach reach;
    void add(const HourCounts& other);
  };
  struct HookCounts {
    int64_t runs = 0, failures = 0, denials = 0, asks = 0, would_deny = 0, would_ask = 0, skipped = 0;
    int64_t detached = 0;  ///< only started; the end is recorded separately, and counted then
    int64_t total = 0, max = 0, last = 0;
    Reach reach;
    TimeHistogram times;
  };
  struct KindCounts {
    int64_t events = 0, high = 0;
  };
  struct SessionCounts {
    int64_t project = 0, first = 0, last = 0, events = 0, deny = 0, ask = 0, failed = 0, turns = 0;
  };
  struct Subagent {
    std::string type, parent;
    int64_t events = 0;
  };

  void add_session(const RecordFacts& record, const RecordNumbers& numbers);
  Result<void> store_hours(Database& database, int64_t file);
  Result<void> store_hour_sums(Database& database, int64_t file);
  Result<void> store_hooks(Database& database, int64_t file);
  Result<void> store_kinds(Database& database, int64_t file);
  Result<void> store_sessions(Database& database, int64_t file);

  std::map<HourKey, HourCounts> hours_;
  std::map<std::pair<int64_t, int64_t>, HookCounts> hooks_;  ///< by hour and hook
  std::map<std::pair<int64_t, int64_t>, KindCounts> kinds_;  ///< by registry and event
  std::map<int64_t, SessionCounts> sessions_;
  std::map<std::pair<int64_t, std::string>, Subagent> subagents_;  ///< by session and id
};

}  // namespace grapnel
