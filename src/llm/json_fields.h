#pragma once

#include <optional>
#include <string>

#include "grapnel/json.h"

/// Members of wire formats, read leniently and written only where there is something to say.
namespace grapnel::llm {

inline std::string string_of(const Json& value) {
  return value.as_string().value_or("");
}

inline int64_t count_of(const Json& value) {
  return value.as_integer().value_or(0);
}

inline Json text_or_missing(const std::string& text) {
  return text.empty() ? Json() : Json::string(text);
}

template <typename T>
Json number_or_missing(const std::optional<T>& value) {
  return value ? Json::number(*value) : Json();
}

inline Json array_or_missing(const std::vector<Json>& elements) {
  return elements.empty() ? Json() : Json::array(elements);
}

}  // namespace grapnel::llm
