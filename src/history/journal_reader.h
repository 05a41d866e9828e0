#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grapnel/json.h"

#include "history/database.h"

/// Reading the journal: what happened, found by time, session, event, tool, hook or verdict.
///
/// Writers append lines to files (`chain.h`) and know nothing of readers. A reader first imports what is new into
/// `journal.db` beside them, in one transaction that also moves the marks of how far each file was read: readers may
/// work at the same time, and one that is killed leaves no half of anything. A last line without its newline is left
/// for the next time, a line that is no record is counted. The database can be thrown away: a damaged one is, and is
/// made again from the files. Where it cannot be written, it is made in memory.
///
///   open → refresh → find, runs_of, …
///
/// Thread: one per reader; any number of readers and writers per directory.
namespace grapnel {

/// What to look for; "" for everything. Times compare as text, ISO-8601 in UTC or the beginning of it.
struct JournalQuery {
  std::string since;
  std::string until;  ///< not included
  std::string session;
  std::string event;
  std::string tool;
  std::string hook;  ///< had a fate at the event
  std::string verdict;
  std::string registry;  ///< a digest
  std::string id;        ///< or the beginning of one
  int64_t after = 0;     ///< entries with a greater number only
  size_t limit = 0;      ///< the newest so many; 0: all
};

struct JournalEntry {
  int64_t number = 0;
  Json record;
};

/// One hook's share in one event.
struct HookRunEntry {
  std::string hook;
  std::string fate;
  std::string detail;
  std::string verdict;
  std::string time;
  std::string record_id;
  std::chrono::microseconds took{0};
};

/// How many events of a kind came while that configuration was in force.
struct EventCount {
  std::string registry;
  std::string event;
  int64_t count = 0;
  std::string last_id;  ///< of the newest
};

/// How complete the journal is.
struct JournalHealth {
  int64_t records = 0;
  int64_t bad_lines = 0;
  int64_t lost = 0;          ///< records that could not be written
  std::string lost_since;    ///< when the first of them was due
  std::string lost_why;      ///< why the last could not be written, when that is known
  bool was_rebuilt = false;  ///< the database was damaged
  bool in_memory = false;    ///< it cannot be written
};

/// How long records are kept.
struct Retention {
  std::chrono::days max_age{90};
  size_t max_bytes = size_t{512} << 20;      ///< of all files
  size_t max_file_bytes = size_t{16} << 20;  ///< then a new one is begun
};

struct RecordFile;

class JournalReader {
 public:
  /// Lost records may be noted in the directory and in `fallback_dir`. Fails: System.
  static Result<JournalReader> open(std::string directory, std::string fallback_dir = {});

  /// Imports what is new. Fails: System.
  Result<void> refresh();

  /// Sets a large file aside and removes what is too old or too much, here and in the files.
  /// Fails: System, with EWOULDBLOCK when writers hold the lock.
  Result<void> retain(const Retention& retention, std::chrono::system_clock::time_point now);

  /// Oldest first.
  Result<std::vector<JournalEntry>> find(const JournalQuery& query);
  Result<size_t> count(const JournalQuery& query);
  /// Every share of hooks in the events that are meant, oldest first.
  Result<std::vector<HookRunEntry>> find_runs(const JournalQuery& query);
  /// The configuration with that digest, or missing.
  Json registry(const std::string& digest) const;

  /// Those of the last configuration first.
  Result<std::vector<EventCount>> count_events();

  Result<JournalHealth> health();

 private:
  JournalReader(std::string directory, std::string fallback_dir, Database database)
      : directory_(std::move(directory)), fallback_dir_(std::move(fallback_dir)), database_(std::move(database)) {}

  /// Does it, and again on a fresh database when this one turns out to be damaged.
  template <typename Work>
  auto repaired(Work work) -> decltype(work());
  Result<void> rebuild();
  Result<void> remove(const RecordFile& file, const std::string& last_line);
  Result<void> forget(int64_t inode);

  std::string directory_;
  std::string fallback_dir_;
  Database database_;
  bool was_rebuilt_ = false;
  bool in_memory_ = false;
};

/// Where the database is.
std::string journal_path(const std::string& directory);

/// Imports what is new in the directory's files, in one transaction. Fails: System.
Result<void> import_records(Database& database, const std::string& directory);

}  // namespace grapnel
