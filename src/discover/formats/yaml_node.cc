#include "discover/formats/yaml_node.h"

#include <algorithm>

namespace grapnel {

/// Maps are small, so a linear search is enough and keeps the order of the file.
const YamlNode* YamlNode::find(std::string_view key) const {
  const auto found = std::ranges::find(members, key, &FieldMember::key);
  return found == members.end() ? nullptr : &found->value;
}

/// Maps are merged member by member; lists and texts are replaced as a whole.
void YamlNode::overlay(const YamlNode& other) {
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

Json to_json(const YamlNode& node) {
  if (node.kind == YamlNode::Kind::Empty) return Json::null();
  if (node.is_text()) return Json::string(node.text);
  std::vector<std::pair<std::string, Json>> members;
  std::vector<Json> elements;
  for (const auto& [key, value] : node.members) {
    if (node.is_map()) members.emplace_back(key, to_json(value));
    if (!node.is_map()) elements.push_back(to_json(value));
  }
  return node.is_map() ? Json::object(members) : Json::array(elements);
}

}  // namespace grapnel
