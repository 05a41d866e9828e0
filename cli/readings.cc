#include "cli/readings.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace grapnel::cli {

namespace {

/// How many members are compared. A payload with more of them is no tool call that somebody wrote by hand.
constexpr size_t kMaxMembers = 4096;

/// Whether an object in the value has a key twice. `left` counts down the members that may still be looked at.
bool repeats_key(const Json& value, size_t& left) {
  std::vector<std::string> keys;
  for (const JsonMember& member : value.members()) {
    if (left == 0) return false;
    --left;
    if (repeats_key(member.value, left)) return true;
    keys.push_back(member.key);
  }
  std::ranges::sort(keys);
  if (std::ranges::adjacent_find(keys) != keys.end()) return true;
  return std::ranges::any_of(value.elements(), [&](const Json& element) { return repeats_key(element, left); });
}

Json first_wins(const Json& value) {
  if (value.is_array()) {
    std::vector<Json> elements;
    for (const Json& element : value.elements()) elements.push_back(first_wins(element));
    return Json::array(elements);
  }
  if (!value.is_object()) return value;
  std::vector<std::pair<std::string, Json>> members;
  for (const JsonMember& member : value.members()) {
    const auto is_same = [&](const auto& known) { return known.first == member.key; };
    if (std::ranges::none_of(members, is_same)) members.emplace_back(member.key, first_wins(member.value));
  }
  return Json::object(members);
}

}  // namespace

std::optional<Json> other_reading(const Json& payload) {
  size_t left = kMaxMembers;
  return repeats_key(payload, left) ? std::optional(first_wins(payload)) : std::nullopt;
}

}  // namespace grapnel::cli
