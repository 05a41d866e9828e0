#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "grapnel/error.h"
#include "grapnel/json.h"

namespace grapnel {

struct FieldMember;

/// What stands behind one key of a HOOK.md, a hooks.toml or a rule file. Scalars are text: what they mean is their
/// field's business.
struct YamlNode {
  enum class Kind : uint8_t { Empty, Text, Map, List };
  Kind kind = Kind::Empty;
  std::string text;
  std::vector<FieldMember> members;  ///< of a map; of a list with empty keys
  SourcePos at;                      ///< of the key, where there is one
  SourcePos value_at;                ///< in YAML: of the value itself

  bool is_text() const { return kind == Kind::Text; }
  bool is_map() const { return kind == Kind::Map; }
  /// The member of that name, or null.
  const YamlNode* find(std::string_view key) const;
  /// Puts members of another map in the place of this one's, maps inside maps member by member.
  void overlay(const YamlNode& other);
};

struct FieldMember {
  std::string key;
  YamlNode value;
};

/// The tree as JSON, all scalars as strings.
Json to_json(const YamlNode& node);

}  // namespace grapnel
