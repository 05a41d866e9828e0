#pragma once

#include <array>

#include "dialect/dialect.h"
#include "model/field_names.h"

namespace grapnel {

/// The keys of a payload in Grapnel's own words: one row for every field, in the order of `Field`. The code that reads
/// payloads recognises this table and takes a field's row by its index instead of searching for it.
inline constexpr auto kCanonicalInputs = [] {
  constexpr size_t kDerived =
      2;  // ToolPath and ToolCommand have no key of their own: they are read from the tool input
  std::array<FieldRow, kFieldCount - kDerived> rows{};
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = {static_cast<Field>(i), kFieldNames[i]};
  return rows;
}();

}  // namespace grapnel
