#pragma once

#include <array>
#include <cstddef>

namespace grapnel {

/// Two tables as one, the first in front.
template <typename Row, size_t A, size_t B>
consteval std::array<Row, A + B> joined(const std::array<Row, A>& first, const std::array<Row, B>& second) {
  std::array<Row, A + B> all{};
  size_t next = 0;
  for (const Row& row : first) all[next++] = row;
  for (const Row& row : second) all[next++] = row;
  return all;
}

}  // namespace grapnel
