#pragma once

#include <string>
#include <string_view>

#include "grapnel/error.h"

/// Text files of users, as tools read and write them. Paths are real ones of `Workspace::resolve`. Thread: any.
namespace grapnel::agent {

inline constexpr size_t kMaxFileSize = size_t{32} << 20;

/// What programs take for no text: a NUL byte near the beginning.
bool is_binary(std::string_view content);

/// Fails: NotFound; Refused for a directory or a binary file; LimitExceeded over `kMaxFileSize`; System.
Result<std::string> read_text_file(const std::string& path);

/// Replaces the file in one step, or creates it and the directories above it. One that exists keeps its mode.
Result<void> write_text_file(const std::string& path, std::string_view content);

}  // namespace grapnel::agent
