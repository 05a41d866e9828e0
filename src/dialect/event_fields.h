#pragma once

#include <array>
#include <bitset>
#include <cstdint>

#include "dialect/dialect.h"

namespace grapnel {

using FieldSet = std::bitset<kFieldCount + 1>;  ///< with None

/// Where each field of an event stands in its payload: for those who ask for many, in one pass. Borrows the event.
class EventFields {
 public:
  explicit EventFields(const Event& event);

  bool has(Field field) const { return node(field) != 0; }
  /// The field's value among the nodes of the payload's document; 0 when it is not there.
  uint32_t node(Field field) const { return nodes_[static_cast<size_t>(field)]; }

 private:
  std::array<uint32_t, kFieldCount + 1> nodes_{};
};

}  // namespace grapnel
