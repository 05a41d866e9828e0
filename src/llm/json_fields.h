#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grapnel/json.h"

/// Helpers for the members of wire formats. Reading is lenient, since not every compatible server follows its format
/// exactly; writing leaves out members that have no value.
namespace grapnel::llm {

/// "" when the value is not a string.
inline std::string string_of(const Json& value) {
  return value.as_string().value_or("");
}

/// A number of tokens. Absurd values from a server are clamped, so that sums cannot overflow.
inline int64_t count_of(const Json& value) {
  constexpr int64_t kMost = 1'000'000'000'000;
  return std::clamp<int64_t>(value.as_integer().value_or(0), 0, kMost);
}

/// A missing value, unlike an empty one, leaves its member out of the object.
inline Json text_or_missing(const std::string& text) {
  return text.empty() ? Json() : Json::string(text);
}

/// The same for numbers.
template <typename T>
Json number_or_missing(const std::optional<T>& value) {
  return value ? Json::number(*value) : Json();
}

/// A list without elements is left out as well.
inline Json array_or_missing(const std::vector<Json>& elements) {
  return elements.empty() ? Json() : Json::array(elements);
}

}  // namespace grapnel::llm
