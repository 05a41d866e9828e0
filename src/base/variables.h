#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace grapnel {

/// The text with `$NAME`, `${NAME}` and `${NAME:-default}` replaced by the result of `value_of`. If that is nothing,
/// the reference becomes its default, or stays as it is written if it has none. Nothing else of a shell's language is
/// understood, and the values are not expanded again. With `braced_only`, `$NAME` is ordinary text.
std::string expand_variables(std::string_view text,
                             const std::function<std::optional<std::string>(std::string_view name)>& value_of,
                             bool braced_only = false);

}  // namespace grapnel
