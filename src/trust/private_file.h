#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "grapnel/error.h"

#include "base/unique_fd.h"
#include "os/files.h"

/// Files that only the user can have written: regular files with mode 0600 that belong to the user, in a directory that
/// belongs to the user and is not a link, and no directory above may be written by everybody, unless it has the sticky
/// bit as /tmp has it. Everything that decides about trust is kept in such files, and sessions and records are as well.
namespace grapnel {

/// The content; nullopt when there is no such file. Fails: Refused when somebody else could have written it,
/// LimitExceeded, System.
Result<std::optional<std::string>> read_private_file(const std::string& path, size_t max_bytes);

/// Opens the file for reading. The descriptor is empty when there is no such file. Fails like `read_private_file`.
Result<UniqueFd> open_private_file(const std::string& path);

/// Replaces the file in one step and creates missing directories (0700). Fails: Refused, System.
Result<void> write_private_file(const std::string& path, std::string_view content,
                                os::Durability durability = os::Durability::Synced);

/// Checks the directory that contains the file, and those above. A directory that does not exist is safe. Fails:
/// Refused, System.
Result<void> check_private_directory(const std::string& path);

}  // namespace grapnel
