#pragma once

#include <optional>
#include <string_view>

#include "dialect/dialect.h"

/// Translates single words that dialects spell differently, such as permission modes, by the tables of the dialects.
/// The predicate `is` says whether the value equals a given word, so that a string need not be decoded first.
///
/// A row with the canonical word "*" is the default for writing: any other canonical word becomes its wire word.
namespace grapnel {

/// The canonical word for a word of the dialect; nothing if both are the same.
template <typename Is>
std::optional<std::string_view> canonical_word(const Dialect& dialect, Field field, const Is& is) {
  for (const ValueRow& row : dialect.payload.values) {
    if (row.field == field && row.canonical != "*" && is(row.wire)) return row.canonical;
  }
  return std::nullopt;
}

/// The dialect's word for a canonical one; nothing if both are the same.
template <typename Is>
std::optional<std::string_view> wire_word(const Dialect& dialect, Field field, const Is& is) {
  for (const ValueRow& row : dialect.payload.values) {
    if (row.field == field && (row.canonical == "*" || is(row.canonical))) return row.wire;
  }
  return std::nullopt;
}

/// The word of one dialect in another dialect; nothing if both are the same.
template <typename Is>
std::optional<std::string_view> translated_word(const Dialect& from, const Dialect& to, Field field, const Is& is) {
  const auto canonical = canonical_word(from, field, is);
  if (!canonical) return wire_word(to, field, is);
  const auto wire = wire_word(to, field, [&](std::string_view word) { return *canonical == word; });
  return wire ? wire : canonical;
}

}  // namespace grapnel
