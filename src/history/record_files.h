#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/unique_fd.h"

/// The files that writers append to (record/chain.h), as readers see them. Both importing and verifying read them this
/// way.
namespace grapnel {

/// An open file of records. Another process may rename it meanwhile; the descriptor keeps its content.
struct RecordFile {
  std::string path;
  int64_t inode = 0;
  size_t size = 0;
  UniqueFd fd;
};

/// The record files of a directory, oldest first.
std::vector<RecordFile> open_record_files(const std::string& directory);

/// The first bytes of a file. They distinguish it from a later file with the same inode number.
std::string opening_of(const RecordFile& file);

/// The SHA-256 of a file's first line, which is its name however often it is renamed or copied; "" while it has none.
std::string first_line_digest(const RecordFile& file);

/// Calls `take` for every complete line from `offset` on, without its newline, and with the line's own offset, until it
/// returns false. Returns the offset behind the last line that was taken. Stops with the error of `take`. Fails:
/// System.
using TakeLine = std::function<Result<bool>(std::string_view line, size_t offset)>;
Result<size_t> read_lines(const RecordFile& file, size_t offset, const TakeLine& take);

/// The last complete line of a file that ends like a record; "" if there is none. Fails: System.
Result<std::string> read_last_line(const RecordFile& file);

}  // namespace grapnel
