#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "grapnel_agent/tool.h"

namespace grapnel::agent {

/// Why a walk ended. `Enough` means that `visit` asked to stop.
enum class WalkEnd : uint8_t { Complete, Enough, TooManyFiles, Cancelled, TimedOut };

/// A file found on a walk. The paths are only valid during the visit.
struct WalkedFile {
  const std::string& path;      ///< absolute
  const std::string& relative;  ///< relative to the directory where the walk started
  bool is_link = false;
};

/// Visits all files below a directory, in each directory sorted by name, until `visit` returns false. The walk does not
/// follow links to directories, leaves out `.git`, and skips directories that it cannot read. Limit: 200000 files.
WalkEnd walk_files(const std::string& dir, const ToolContext& context,
                   const std::function<bool(const WalkedFile& file)>& visit);

/// A note for the model when the walk did not see every file, so that it does not take the result as complete; "" when
/// it did.
std::string note_of(WalkEnd end);

}  // namespace grapnel::agent
