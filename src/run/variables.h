#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace grapnel {

/// A text with `$NAME`, `${NAME}` and `${NAME:-default}` replaced by what `value_of` says; names for which it says
/// nothing stay as they are, or become their default.
std::string expand_variables(std::string_view text,
                             const std::function<std::optional<std::string>(std::string_view name)>& value_of);

}  // namespace grapnel
