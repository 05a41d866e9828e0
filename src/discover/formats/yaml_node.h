#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "grapnel/error.h"
#include "grapnel/json.h"

namespace grapnel {

struct FieldMember;

/// A value in a HOOK.md, a `hooks.toml` or a rule file, as a tree that knows its positions.
///
/// Scalars are kept as text, because their meaning depends on the field: `on` is a truth value in one field and plain
/// text in another. Members are in the order of the file.
struct YamlNode {
  enum class Kind : uint8_t { Empty, Text, Map, List };
  Kind kind = Kind::Empty;
  std::string text;
  std::vector<FieldMember> members;  ///< of a map; the elements of a list, with empty keys
  SourcePos at;                      ///< the position of the key, if there is one
  SourcePos value_at;                ///< the position of the value itself; only set for YAML

  bool is_text() const { return kind == Kind::Text; }
  bool is_map() const { return kind == Kind::Map; }
  /// The member of that name, or null.
  const YamlNode* find(std::string_view key) const;
  /// Sets the members of another map in this one; maps inside of maps are merged in the same way.
  void overlay(const YamlNode& other);
};

/// A key and its value. In a list the key is empty.
struct FieldMember {
  std::string key;
  YamlNode value;
};

/// The tree as JSON, all scalars as strings.
Json to_json(const YamlNode& node);

}  // namespace grapnel
