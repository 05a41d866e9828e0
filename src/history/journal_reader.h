#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grapnel/json.h"

#include "history/database.h"
#include "history/journal_query.h"
#include "history/stored_lines.h"

/// Reads the journal: finds events by time, session, agent, project, kind, tool, subject, hook or verdict.
///
/// Writers append lines to files (record/chain.h) and know nothing of readers. A reader first imports the new lines
/// into `journal.db`, a SQLite database in the same directory (schema.h): what queries need of each record, and where
/// its line is. The lines themselves stay in the files and are read back when somebody asks for a record. Parts of an
/// import are transactions that also store how far a file was read (importer.h). So several readers may work at the
/// same time, and a reader that is killed leaves nothing half done. A last line without a newline is left for the next
/// import. A line that is not a record is counted.
///
/// The database can be deleted at any time, because everything in it comes from the files; records of a file that was
/// removed or changed are forgotten. A database that is damaged or was made by another version is emptied and built
/// again. If the directory cannot be written, or a process that was stopped holds the lock, the database is made in
/// memory.
///
///   open → refresh → find, …; timeline.h, sessions.h, events.h, hook_totals.h, series.h
///
/// Thread: one per reader; any number of readers and writers per directory.
namespace grapnel {

/// One record. Numbers grow in the order of import. If the record is about a call that a person was asked about, and
/// later records show what came of it, the record has the additional member `answer` (open_calls.h).
struct JournalEntry {
  int64_t number = 0;
  Json record;
};

/// What happened to one hook at one event.
struct HookRunEntry {
  std::string fate;
  std::string detail;
  std::string verdict;
  std::string time;
  std::string record_id;
  std::chrono::microseconds took{0};
};

/// How many events of a kind happened while one configuration applied.
struct EventCount {
  std::string registry;
  std::string event;
  int64_t count = 0;
  std::string last_id;  ///< id of the newest one
};

/// How complete the journal is.
struct JournalHealth {
  int64_t records = 0;
  int64_t bad_lines = 0;
  int64_t lost = 0;          ///< records that could not be written
  std::string lost_since;    ///< when the first of them should have been written
  std::string lost_why;      ///< why the last of them could not be written, if that is known
  bool was_rebuilt = false;  ///< the database was damaged and built again
  bool in_memory = false;    ///< the directory cannot be written, or the database is locked
};

/// How long records are kept.
struct Retention {
  std::chrono::days max_age{90};
  size_t max_bytes = size_t{2} << 30;        ///< all files together
  size_t max_file_bytes = size_t{16} << 20;  ///< a larger file is renamed, and writers start a new one
  /// For a machine of a fleet: where the mark of the central store is, and that of the jobs, as the SHA-256 of that
  /// file's first line; "" if nothing has arrived yet. Files from the first of them on stay ten times as long, and then
  /// go as well.
  std::vector<std::string> marked_files = {};
};

/// The marks that a machine of a fleet keeps in its state directory (cli/fleet/fleet_files.h); none for other machines.
std::vector<std::string> read_marked_files(const std::string& state_dir);

/// How far an import is.
struct ImportProgress {
  size_t done = 0;  ///< bytes
  size_t total = 0;
};
/// Called after every part of an import. The import stops if it returns false; the next one continues there.
using OnProgress = std::function<bool(const ImportProgress&)>;

class JournalReader {
 public:
  /// Opens or creates the database. `fallback_dir` is a second directory in which lost records may be noted. Fails:
  /// System.
  static Result<JournalReader> open(std::string directory, std::string fallback_dir = {});

  /// Imports new lines. Fails: System; Unavailable if another process holds the lock and makes no progress. What was
  /// imported before can still be asked for.
  Result<void> refresh(const OnProgress& on_progress = {});
  /// Goes on with a database in memory, which nobody else can lock. It is empty until the next refresh, which reads all
  /// files. Fails: System.
  Result<void> move_to_memory();

  /// Renames a file that has become too large, and removes files that are too old or exceed the total size, together
  /// with the rows that were imported from them. Fails: System, with EWOULDBLOCK if writers hold the lock.
  Result<void> retain(const Retention& retention, std::chrono::system_clock::time_point now);

  /// The records that fit the query, oldest first.
  Result<std::vector<JournalEntry>> find(const JournalQuery& query);
  /// The numbers of these records, oldest first: for those who want to read very many of them in parts. Of a condition
  /// on ids, only the first characters are compared.
  Result<std::vector<int64_t>> find_numbers(const JournalQuery& query);
  /// The ids of events, and of sessions, that begin with the text; the text alone if it is such an id. The newest come
  /// first. Limit: 8.
  Result<std::vector<std::string>> ids_like(const std::string& beginning);
  Result<std::vector<std::string>> sessions_like(const std::string& beginning);
  /// The shortest beginning of an id that no other event has, and at least eight characters of it.
  Result<std::string> shorten(const std::string& id);
  /// When the hook was last started; nothing if it never was.
  Result<std::optional<HookRunEntry>> find_last_run(const std::string& hook);
  /// The configuration with that digest; missing if it was not kept.
  Json registry(const std::string& digest) const;

  /// Counts per configuration and event kind, newest first.
  Result<std::vector<EventCount>> count_events();

  Result<JournalHealth> health();

  // For the other questions of this folder.

  /// Does the work, which gets the database. If that turns out to be damaged, or not to fit the files, it is repaired,
  /// and the work is done again.
  template <typename Work>
  auto query(Work work) -> decltype(work(std::declval<Database&>())) {
    auto done = work(database_);
    if (done) return done;
    if (auto repaired = repair(done.error()); !repaired) return std::unexpected(repaired.error());
    return work(database_);
  }
  /// The lines of the records.
  StoredLines& lines() { return lines_; }

 private:
  JournalReader(std::string directory, std::string fallback_dir, Database database)
      : directory_(std::move(directory)), fallback_dir_(std::move(fallback_dir)), database_(std::move(database)) {}

  Result<void> import(const OnProgress& on_progress);
  /// Fails with the error itself if it is not about damage.
  Result<void> repair(const Error& error);
  Result<void> rebuild();
  Result<void> remove(const RecordFile& file, const std::string& last_line);

  std::string directory_;
  std::string fallback_dir_;
  Database database_;
  StoredLines lines_;
  bool was_rebuilt_ = false;
  bool in_memory_ = false;
};

/// The columns of `records` for `entry_of`, in this order.
inline constexpr const char* kEntryColumns = "r.number, r.file, r.offset, r.length, r.id, r.answer";
/// The record of a row with these columns. Fails: NotFound if its line is not in the file any more.
Result<JournalEntry> entry_of(JournalReader& journal, Database& database, const Statement& row);
/// Only its id.
std::string id_of(JournalReader& journal, Database& database, const Statement& row);

/// The path of the database.
std::string journal_path(const std::string& directory);

}  // namespace grapnel
