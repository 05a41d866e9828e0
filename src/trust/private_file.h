#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "grapnel/error.h"

#include "base/unique_fd.h"
#include "os/files.h"

/// Files that others must not have written: regular, 0600, the user's own, in a directory that is the user's own and no
/// link either.
namespace grapnel {

/// The content; nothing when there is no such file. Fails: Refused when somebody else could have written it,
/// LimitExceeded, System.
Result<std::optional<std::string>> read_private_file(const std::string& path, size_t max_bytes);

/// The file, open for reading; an empty one when there is none. Fails: as `read_private_file`.
Result<UniqueFd> open_private_file(const std::string& path);

/// Replaces it in one step, making its directories (0700). Fails: Refused, System.
Result<void> write_private_file(const std::string& path, std::string_view content,
                                os::Durability durability = os::Durability::Synced);

/// Whether the directory a file is, or is to be, in is safe; one that does not exist is.
Result<void> check_private_directory(const std::string& path);

}  // namespace grapnel
