#pragma once

#include <optional>
#include <string_view>

#include "dialect/dialect.h"

/// Values that dialects spell apart, by their tables. `is` says whether the value is a given word.
namespace grapnel {

/// The canonical word for a dialect's, nothing where it is the same.
template <typename Is>
std::optional<std::string_view> canonical_word(const Dialect& dialect, Field field, const Is& is) {
  for (const ValueRow& row : dialect.payload.values) {
    if (row.field == field && row.canonical != "*" && is(row.wire)) return row.canonical;
  }
  return std::nullopt;
}

/// A dialect's word for a canonical one, nothing where it is the same.
template <typename Is>
std::optional<std::string_view> wire_word(const Dialect& dialect, Field field, const Is& is) {
  for (const ValueRow& row : dialect.payload.values) {
    if (row.field == field && (row.canonical == "*" || is(row.canonical))) return row.wire;
  }
  return std::nullopt;
}

/// One dialect's word for another's, nothing where it is the same.
template <typename Is>
std::optional<std::string_view> translated_word(const Dialect& from, const Dialect& to, Field field, const Is& is) {
  const auto canonical = canonical_word(from, field, is);
  if (!canonical) return wire_word(to, field, is);
  const auto wire = wire_word(to, field, [&](std::string_view word) { return *canonical == word; });
  return wire ? wire : canonical;
}

}  // namespace grapnel
