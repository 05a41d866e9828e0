#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace grapnel::shell {

/// What `${NAME…}` gives if the value of the variable is known. `operation` is what stands between the name and the
/// closing brace: `#X`, `%X`, `/a/b`, `//a/b`, `:2:3`, `,,`, `^^`, `@L`, `:-x`. Nothing if the operation is not worked
/// out here, or if its pattern is more than plain text.
std::optional<std::string> expand_parameter(const std::string& value, std::string_view operation);

}  // namespace grapnel::shell
