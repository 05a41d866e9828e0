#pragma once

#include <array>
#include <bitset>
#include <cstdint>

#include "dialect/dialect.h"
#include "json/document.h"

namespace grapnel {

using FieldSet = std::bitset<kFieldCount + 1>;  ///< with None

/// Where each field of an event stands in its payload: for those who ask for many, in one pass. Borrows the event.
class EventFields {
 public:
  explicit EventFields(const Event& event);

  bool has(Field field) const { return node(field) != 0; }
  const FieldSet& present() const { return present_; }
  /// The field's value among the nodes of the payload's document; 0 when it is not there.
  uint32_t node(Field field) const { return nodes_[static_cast<size_t>(field)]; }
  /// The value itself.
  Json operator()(Field field) const { return has(field) ? JsonDocument::at_node(payload_, node(field)) : Json(); }

 private:
  const Json& payload_;
  std::array<uint32_t, kFieldCount + 1> nodes_{};
  FieldSet present_;
};

}  // namespace grapnel
