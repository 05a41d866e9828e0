#pragma once

#include <string>
#include <string_view>

namespace grapnel::mcp {

/// A text as the value of a header of the stateless version: as it is if it is plain ASCII, otherwise
/// `=?base64?…?=`.
std::string header_value(std::string_view text);

}  // namespace grapnel::mcp
