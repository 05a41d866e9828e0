#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "grapnel/event.h"

namespace grapnel {

/// A set of fields, one bit for each and one for `None`. Sets that depend only on tables are made at compile time,
/// which `std::bitset` of C++20 cannot do.
class FieldSet {
 public:
  constexpr void set(size_t field) { words_[field / kBits] |= uint64_t{1} << field % kBits; }
  constexpr void set(Field field) { set(static_cast<size_t>(field)); }
  constexpr bool test(size_t field) const { return (words_[field / kBits] >> field % kBits & 1) != 0; }

  constexpr FieldSet& operator|=(const FieldSet& other) {
    for (size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
    return *this;
  }
  friend constexpr FieldSet operator|(FieldSet a, const FieldSet& b) { return a |= b; }
  friend constexpr FieldSet operator&(FieldSet a, const FieldSet& b) {
    for (size_t i = 0; i < a.words_.size(); ++i) a.words_[i] &= b.words_[i];
    return a;
  }

  /// Whether the predicate holds for a field of the set; it is called in the order of `Field`, and only until it holds.
  template <typename Is>
  bool any_of(const Is& is) const {
    for (size_t i = 0; i < words_.size(); ++i) {
      for (uint64_t rest = words_[i]; rest != 0; rest &= rest - 1) {
        if (is(static_cast<Field>(i * kBits + static_cast<size_t>(std::countr_zero(rest))))) return true;
      }
    }
    return false;
  }

 private:
  static constexpr size_t kBits = 64;
  std::array<uint64_t, (kFieldCount + kBits) / kBits> words_{};
};

}  // namespace grapnel
