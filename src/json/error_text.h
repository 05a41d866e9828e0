#pragma once

#include <string>
#include <string_view>

namespace grapnel::json {

/// What stands at the front of `rest`, for "expected …, found …": a word, a character, a byte, a comment, the end.
std::string describe_found(std::string_view rest);

/// `byte 0x1f`.
std::string describe_byte(char c);

}  // namespace grapnel::json
