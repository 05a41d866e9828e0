#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

/// The values of number tokens that the reader has already checked.
namespace grapnel::json {

/// The nearest double. Nothing if the number is too large for one; 0 if it is too small.
std::optional<double> to_double(std::string_view number);

/// The value if it is whole and fits, however it is spelled (`2.0`, `1e3`).
std::optional<int64_t> to_integer(std::string_view number);

/// Whether two tokens spell the same value, exactly: `1` and `1.0` do, 2^53 and 2^53+1 do not.
bool same_number(std::string_view a, std::string_view b);

}  // namespace grapnel::json
