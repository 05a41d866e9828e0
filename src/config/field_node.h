#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "grapnel/error.h"

namespace grapnel {

struct FieldMember;

/// What stands behind one key of a HOOK.md or a hooks.toml. Scalars are text: what they mean is their field's business.
struct FieldNode {
  enum class Kind : uint8_t { Empty, Text, Map, List };
  Kind kind = Kind::Empty;
  std::string text;
  std::vector<FieldMember> members;  ///< of a map; of a list with empty keys
  SourcePos at;                      ///< of the key, where there is one

  bool is_text() const { return kind == Kind::Text; }
  bool is_map() const { return kind == Kind::Map; }
  /// The member of that name, or null.
  const FieldNode* find(std::string_view key) const;
  /// Puts members of another map in the place of this one's, maps inside maps member by member.
  void overlay(const FieldNode& other);
};

struct FieldMember {
  std::string key;
  FieldNode value;
};

}  // namespace grapnel
