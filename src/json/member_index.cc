#include "json/member_index.h"

#include <algorithm>
#include <tuple>

namespace grapnel {

MemberIndex::MemberIndex(const JsonDocument& document, uint32_t object) {
  for (uint32_t at = object + 1; at < document.node(object).next; at = document.node(at + 1).next) {
    const bool plain = document.node(at).plain;
    entries_.push_back({plain ? document.string_body(at) : unescaped_.emplace_back(document.string(at)), at + 1});
  }
  // Among equal keys the last member comes first, so `unique` keeps that one.
  const auto last_first = [](const Entry& a, const Entry& b) {
    return std::tie(a.key, b.value) < std::tie(b.key, a.value);
  };
  const auto same_key = [](const Entry& a, const Entry& b) { return a.key == b.key; };
  std::sort(entries_.begin(), entries_.end(), last_first);
  entries_.erase(std::unique(entries_.begin(), entries_.end(), same_key), entries_.end());
}

uint32_t MemberIndex::find(std::string_view key) const {
  const auto at = std::lower_bound(entries_.begin(), entries_.end(), key,
                                   [](const Entry& entry, std::string_view k) { return entry.key < k; });
  return at != entries_.end() && at->key == key ? at->value : 0;
}

}  // namespace grapnel
