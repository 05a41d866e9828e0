#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace grapnel::call {

/// A file that git tracks.
struct TrackedFile {
  std::string name;  ///< absolute
  uint32_t mtime = 0;
  uint32_t size = 0;  ///< both as they were when git last looked
};

/// The files in the index of the repository that `directory` is in; empty if there is none, or if it cannot be read.
/// Limit: 32 MiB.
std::vector<TrackedFile> tracked_files(const std::string& directory);

}  // namespace grapnel::call
