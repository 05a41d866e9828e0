#pragma once

#include <string>
#include <string_view>

#include "grapnel/error.h"

/// How tools read and write the user's text files. Paths come from `Workspace::resolve`. Thread: any.
namespace grapnel::agent {

inline constexpr size_t kMaxFileSize = size_t{32} << 20;

/// Whether the content is probably not text: it has a NUL byte near the beginning. Git uses the same test.
bool is_binary(std::string_view content);

/// Fails: NotFound; Refused for a directory or a binary file; LimitExceeded over `kMaxFileSize`; System.
Result<std::string> read_text_file(const std::string& path);

/// Replaces the file in one step, or creates it together with its parent directories. An existing file keeps its mode.
Result<void> write_text_file(const std::string& path, std::string_view content);

}  // namespace grapnel::agent
