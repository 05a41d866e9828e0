#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "json/document.h"

namespace grapnel {

/// The members of an object that count (of duplicate keys the last), sorted by key: for work on many members, where
/// looking each up by walking the object would take the square of their number. Borrows the document.
class MemberIndex {
 public:
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
  std::deque<std::string> unescaped_;  ///< keys that do not stand in the text as they are
};

}  // namespace grapnel
