#pragma once

#include <optional>

#include "base/unique_fd.h"
#include "os/files.h"

/// Stamps of many files below one directory, without the way there for each. Thread: any.
namespace grapnel::os {

/// A directory to look from; nothing when there is none.
UniqueFd open_directory(const char* path);

/// As `stamp`, seen from a directory, or, with -1, from where we are.
std::optional<FileStamp> stamp_at(int directory, const char* name);

}  // namespace grapnel::os
