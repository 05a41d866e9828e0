#pragma once

#include <array>

#include "dialect/dialect.h"
#include "model/field_names.h"

/// The canonical dialect is the middle of every translation, so its table is used most and is laid out for speed.
namespace grapnel {

/// The keys of a payload in Grapnel's own words: one row for every field, in the order of `Field`. The code that reads
/// payloads recognises this table and takes a field's row by its index instead of searching for it.
inline constexpr auto kCanonicalInputs = [] {
  // ToolPath and ToolCommand are the last two fields. They have no key: they are derived from the tool input.
  constexpr size_t kDerived = 2;
  std::array<FieldRow, kFieldCount - kDerived> rows{};
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = {static_cast<Field>(i), kFieldNames[i]};
  return rows;
}();

}  // namespace grapnel
