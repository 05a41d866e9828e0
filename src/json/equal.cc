#include <algorithm>
#include <utility>
#include <vector>

#include "grapnel/json.h"

#include "json/document.h"
#include "json/member_index.h"
#include "json/number.h"

namespace grapnel {

namespace {

/// Compares two subtrees. Pairs that are still to be compared are kept in a list, so that deep nesting uses no stack.
class Comparison {
 public:
  Comparison(const JsonDocument& a, const JsonDocument& b) : a_(a), b_(b) {}

  bool equal(uint32_t a, uint32_t b) {
    pending_.emplace_back(a, b);
    while (!pending_.empty()) {
      const auto [left, right] = pending_.back();
      pending_.pop_back();
      if (!same_node(left, right)) return false;
    }
    return true;
  }

 private:
  bool same_node(uint32_t a, uint32_t b);
  bool same_string(uint32_t a, uint32_t b) const;
  bool pair_elements(uint32_t a, uint32_t b);
  bool pair_members(uint32_t a, uint32_t b);

  const JsonDocument& a_;
  const JsonDocument& b_;
  std::vector<std::pair<uint32_t, uint32_t>> pending_;
};

/// Equal bytes are equal values, which is the usual case and cheap to see.
bool Comparison::same_node(uint32_t a, uint32_t b) {
  const JsonKind kind = a_.node(a).kind;
  if (kind != b_.node(b).kind) return false;
  if (a_.raw(a) == b_.raw(b)) return true;
  switch (kind) {
    case JsonKind::Number:
      return json::same_number(a_.raw(a), b_.raw(b));
    case JsonKind::String:
      return same_string(a, b);
    case JsonKind::Array:
      return pair_elements(a, b);
    case JsonKind::Object:
      return pair_members(a, b);
    default:
      return false;
  }
}

/// Unescapes at most one of the two.
bool Comparison::same_string(uint32_t a, uint32_t b) const {
  if (b_.node(b).plain) return a_.string_equals(a, b_.string_body(b));
  return b_.string_equals(b, a_.string(a));
}

/// Arrays are equal if they have the same length and equal elements; the elements are compared later.
bool Comparison::pair_elements(uint32_t a, uint32_t b) {
  const uint32_t a_end = a_.node(a++).next;
  const uint32_t b_end = b_.node(b++).next;
  for (; a < a_end && b < b_end; a = a_.node(a).next, b = b_.node(b).next) pending_.emplace_back(a, b);
  return a == a_end && b == b_end;
}

/// The order of members does not matter: both sides are sorted by key and then compared pairwise.
bool Comparison::pair_members(uint32_t a, uint32_t b) {
  const MemberIndex left(a_, a);
  const MemberIndex right(b_, b);
  const auto pair = [this](const MemberIndex::Entry& l, const MemberIndex::Entry& r) {
    pending_.emplace_back(l.value, r.value);
    return l.key == r.key;
  };
  return std::equal(left.entries().begin(), left.entries().end(), right.entries().begin(), right.entries().end(), pair);
}

}  // namespace

/// Two missing values are equal; a missing one equals nothing else.
bool Json::operator==(const Json& other) const {
  if (!document_ || !other.document_) return document_ == other.document_;
  return Comparison(*document_, *other.document_).equal(node_, other.node_);
}

}  // namespace grapnel
