#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "grapnel_agent/tool.h"

namespace grapnel::agent {

/// Why a walk ended.
enum class WalkEnd : uint8_t { Complete, Enough, TooManyFiles, Cancelled, TimedOut };

/// A file met on a walk. Paths are borrowed.
struct WalkedFile {
  const std::string& path;      ///< absolute
  const std::string& relative;  ///< to where the walk started
  bool is_link = false;
};

/// Visits the files below a directory, sorted by name in each directory; false from `visit` is enough. Links to
/// directories are not followed, `.git` is left out, what cannot be read is passed over. Limit: 200000 files.
WalkEnd walk_files(const std::string& dir, const ToolContext& context,
                   const std::function<bool(const WalkedFile& file)>& visit);

/// What the model has to know of a walk that did not see everything; "" when it did.
std::string note_of(WalkEnd end);

}  // namespace grapnel::agent
