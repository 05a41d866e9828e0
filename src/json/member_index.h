#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "json/document.h"

namespace grapnel {

/// The members of an object, sorted by key; of duplicate keys only the last. For work on many members: looking up each
/// one by walking over the object would take quadratic time. Borrows the document.
class MemberIndex {
 public:
  /// A key and the node of its value.
  struct Entry {
    std::string_view key;
    uint32_t value = 0;
  };

  MemberIndex(const JsonDocument& document, uint32_t object);
  MemberIndex(const MemberIndex&) = delete;
  MemberIndex& operator=(const MemberIndex&) = delete;

  const std::vector<Entry>& entries() const { return entries_; }
  /// The value's node, or 0.
  uint32_t find(std::string_view key) const;

 private:
  std::vector<Entry> entries_;
  std::deque<std::string> unescaped_;  ///< keys whose text differs from their spelling
};

}  // namespace grapnel
