#pragma once

#include <array>
#include <cstddef>

namespace grapnel {

/// Joins two tables at compile time; the rows of `first` come first.
template <typename Row, size_t A, size_t B>
consteval std::array<Row, A + B> joined(const std::array<Row, A>& first, const std::array<Row, B>& second) {
  std::array<Row, A + B> all{};
  size_t next = 0;
  for (const Row& row : first) all[next++] = row;
  for (const Row& row : second) all[next++] = row;
  return all;
}

}  // namespace grapnel
