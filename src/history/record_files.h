#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/unique_fd.h"

namespace grapnel {

/// One file of records, opened: its name may change meanwhile, its content goes with the descriptor.
struct RecordFile {
  std::string path;
  int64_t inode = 0;
  size_t size = 0;
  UniqueFd fd;
};

/// The files of a directory, oldest first; none when there are none.
std::vector<RecordFile> open_record_files(const std::string& directory);

/// The first bytes of a file; they tell it from another that got its number later.
std::string opening_of(const RecordFile& file);

/// Hands over every whole line from `offset` on, without its newline, and returns where the first one that is not
/// whole starts. Fails: System.
Result<size_t> read_lines(const RecordFile& file, size_t offset,
                          const std::function<Result<void>(std::string_view line)>& take);

}  // namespace grapnel
