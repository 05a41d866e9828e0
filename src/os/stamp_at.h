#pragma once

#include <optional>

#include "base/unique_fd.h"
#include "os/files.h"

/// Stamps of many files below one directory, without resolving the path of the directory for each. Thread: any.
namespace grapnel::os {

/// Opens a directory to start from; the result is empty if there is none.
UniqueFd open_directory(const char* path);

/// Like `stamp`, but relative to a directory, or with -1 to the current one.
std::optional<FileStamp> stamp_at(int directory, const char* name);

}  // namespace grapnel::os
