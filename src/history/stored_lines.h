#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "grapnel/json.h"

#include "history/database.h"
#include "history/record_files.h"

namespace grapnel {

/// Where the line of a record is, and its id as a number, which tells whether the line is still there.
struct LinePlace {
  int64_t file = 0;  ///< its number in the database
  size_t offset = 0;
  size_t length = 0;
  int64_t id = 0;
};

/// Reads lines of records back from their files. The files stay open, so that they can be read after others have
/// renamed or removed them.
class StoredLines {
 public:
  /// Files that were opened for an import.
  void set_files(std::vector<RecordFile> files);
  const std::vector<RecordFile>& files() const { return files_; }

  /// The record. Returns nullopt if there is no such record any more; then the file is `stale_inode`.
  std::optional<Json> read(Database& database, const LinePlace& place);
  /// Only the id of the record, which stands at the start of the line.
  std::string read_id(Database& database, const LinePlace& place);

  /// A file that is not as it was when it was imported; 0 if there is none.
  int64_t stale_inode() const { return stale_; }

 private:
  const RecordFile* find(Database& database, int64_t file);
  std::string read_bytes(Database& database, const LinePlace& place, size_t length);

  std::vector<RecordFile> files_;
  std::unordered_map<int64_t, int64_t> inodes_;  ///< by number
  int64_t stale_ = 0;
};

}  // namespace grapnel
