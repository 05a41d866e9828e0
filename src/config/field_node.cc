#include "config/field_node.h"

#include <algorithm>

namespace grapnel {

const FieldNode* FieldNode::find(std::string_view key) const {
  const auto found = std::ranges::find(members, key, &std::pair<std::string, FieldNode>::first);
  return found == members.end() ? nullptr : &found->second;
}

void FieldNode::overlay(const FieldNode& other) {
  for (const auto& [key, value] : other.members) {
    const auto own = std::ranges::find(members, key, &std::pair<std::string, FieldNode>::first);
    if (own == members.end()) {
      members.emplace_back(key, value);
    } else if (own->second.is_map() && value.is_map()) {
      own->second.overlay(value);
    } else {
      own->second = value;
    }
  }
}

}  // namespace grapnel
