#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "history/database.h"
#include "history/journal_reader.h"
#include "history/open_calls.h"
#include "history/record_facts.h"
#include "history/record_files.h"
#include "history/roll_ups.h"
#include "history/text_blocks.h"

namespace grapnel {

/// Reads new lines of record files into the database, some thousand at a time. Each part is a transaction of its own,
/// which also stores how far the file was read. So an import that is killed continues where it was, and others can read
/// and import meanwhile.
///
/// Files are identified by their inode, because they are renamed when they grow large. An inode number may be reused,
/// so the first bytes of the file (its opening) are stored, too. If they differ, or if the file became shorter, what
/// was read from it is forgotten, and it is read from the start.
class Importer {
 public:
  static Result<Importer> prepare(Database& database);

  struct Part {
    size_t bytes = 0;
    bool is_last = false;  ///< the file has no more complete lines
  };
  /// Imports one part. Fails: System, BadInput.
  Result<Part> import_part(const RecordFile& file);

 private:
  /// What the database knows of a file.
  struct Known {
    int64_t number = 0;
    size_t offset = 0;
    int64_t records = 0;
    int64_t bad = 0;
    int64_t lost = 0;
    int64_t lost_since = 0;
  };
  struct Statements {
    Statement record, subject, run, find_name, add_name, find_session, add_session;
  };

  Importer(Database& database, Statements statements, OpenCalls calls)
      : database_(&database), to_(std::move(statements)), calls_(std::move(calls)) {}

  Result<Part> import_locked(const RecordFile& file);
  Result<void> check_others();
  Result<Known> find_known(const RecordFile& file, const std::string& opening);
  Result<void> take_line(Known& known, std::string_view line, size_t offset);
  Result<void> insert(const Known& known, const RecordFacts& record, std::string_view line, size_t offset);
  Result<void> insert_runs(const RecordFacts& record, const RecordNumbers& numbers);
  Result<int64_t> number_of(const std::string& name);
  Result<std::pair<int64_t, bool>> number_of_session(const std::string& id, int64_t agent);

  Database* database_;
  Statements to_;
  OpenCalls calls_;
  RollUps roll_ups_;
  TextBlocks texts_;
  int64_t next_ = 0;  ///< the number of the next record
  int64_t version_ = 0;
  std::unordered_map<std::string, int64_t> names_;
  std::unordered_map<std::string, int64_t> sessions_;
};

/// Removes everything that was read from a file, in one transaction. Fails: System, BadInput.
Result<void> forget_file(Database& database, int64_t inode);

/// The inodes of files that were imported, and are not among these. Fails: System, BadInput.
Result<std::vector<int64_t>> find_missing_files(Database& database, const std::vector<RecordFile>& files);

/// Imports all new lines of these files. Fails: System, BadInput.
Result<void> import_files(Database& database, const std::vector<RecordFile>& files, const OnProgress& on_progress);

/// The first bytes of an id as a number that is in the same order.
int64_t id_key(std::string_view id);
/// The range of keys of all ids with this beginning.
std::pair<int64_t, int64_t> id_keys(std::string_view beginning);

}  // namespace grapnel
