#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "dialect/dialect.h"
#include "json/document.h"

namespace grapnel {

using FieldSet = std::bitset<kFieldCount + 1>;  ///< with None

/// Where each field of an event stands in its payload: for those who ask for many, in one pass. Borrows the event.
class EventFields {
 public:
  explicit EventFields(const Event& event);

  bool has(Field field) const { return (*this)(field) != 0; }
  const FieldSet& present() const { return present_; }
  /// The field's value among the nodes of the payload's document; 0 when it is not there.
  uint32_t operator()(Field field) const { return nodes_[static_cast<size_t>(field)]; }

 private:
  struct Table {
    std::span<const FieldRow> rows;
    size_t rank;  ///< of its first row: how many rows come before it
    size_t next;  ///< the row to expect
  };
  void note(Field field, size_t rank, uint32_t node);

  const Json& payload_;
  std::array<uint32_t, kFieldCount + 1> nodes_{};
  std::array<uint16_t, kFieldCount + 1> ranks_;  ///< of the row that each was found by
  FieldSet present_;
};

/// What a dialect reads in a field's place: nothing, a node of the event's payload as it stands, a word of the tables,
/// a text or a value made for it.
using FieldValue = std::variant<std::monostate, uint32_t, std::string_view, std::string, Json>;

/// `field_as` of payload.h for those who ask for many.
FieldValue field_value(const Event& event, const Dialect& to, Field field, const EventFields& fields);

}  // namespace grapnel
