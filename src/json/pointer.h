#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grapnel/json.h"

/// JSON pointers, RFC 6901.
namespace grapnel::json {

/// The decoded tokens of a pointer, or nothing when it is malformed.
std::optional<std::vector<std::string>> split_pointer(std::string_view pointer);

/// The pointer to a member: `~` and `/` in its name are escaped.
std::string below(std::string_view pointer, std::string_view name);

/// An array index: digits without a leading zero.
std::optional<size_t> read_index(std::string_view token);

/// The child of a container that a token names, or missing.
Json find_child(const Json& container, std::string_view token);

/// The value that a pointer leads to; missing unless the whole path exists.
Json find_at(const Json& from, std::string_view pointer);

/// How far a path leads into a value: the last value found, and the tokens that lead to nothing.
struct Reached {
  Json value;
  std::span<const std::string> rest;
};
Reached follow(const Json& from, std::span<const std::string> path);

/// `value` inside one new object per token; the token `-` makes an array of one.
Json nest(std::span<const std::string> path, const Json& value);

}  // namespace grapnel::json
