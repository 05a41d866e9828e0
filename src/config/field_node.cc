#include "config/field_node.h"

#include <algorithm>

namespace grapnel {

const FieldNode* FieldNode::find(std::string_view key) const {
  const auto found = std::ranges::find(members, key, &FieldMember::key);
  return found == members.end() ? nullptr : &found->value;
}

void FieldNode::overlay(const FieldNode& other) {
  for (const auto& [key, value] : other.members) {
    const auto own = std::ranges::find(members, key, &FieldMember::key);
    if (own == members.end()) {
      members.emplace_back(key, value);
    } else if (own->value.is_map() && value.is_map()) {
      own->value.overlay(value);
    } else {
      own->value = value;
    }
  }
}

}  // namespace grapnel
