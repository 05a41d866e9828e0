#pragma once

#include <cstdint>

namespace grapnel {

/// The first and the last number of some records.
struct NumberRange {
  int64_t low = 0;
  int64_t high = 0;
  bool operator==(const NumberRange&) const = default;
};

}  // namespace grapnel
