#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "dialect/dialect.h"
#include "dialect/field_set.h"
#include "json/document.h"

/// Locates all fields of an event at once. Translating a payload asks for most of them, and searching the payload once
/// for each field would be slower than walking over it once. payload.cc has the implementation.
namespace grapnel {

/// Where each field of an event is in its payload. Borrows the event.
class EventFields {
 public:
  /// Walks over the payload once.
  explicit EventFields(const Event& event);

  bool has(Field field) const { return (*this)(field) != 0; }
  const FieldSet& present() const { return present_; }
  /// The node of the field's value in the payload's document; 0 if the event does not have it.
  uint32_t operator()(Field field) const { return nodes_[static_cast<size_t>(field)]; }

 private:
  /// A table of input rows while the payload is walked.
  struct Table {
    std::span<const FieldRow> rows;
    size_t rank;  ///< the number of rows in earlier tables; lower ranks win
    size_t next;  ///< the row that the next member probably has
  };
  /// Remembers where a field was found, unless a row of lower rank has already found it.
  void note(Field field, size_t rank, uint32_t node);

  const Json& payload_;
  std::array<uint32_t, kFieldCount + 1> nodes_{};
  std::array<uint16_t, kFieldCount + 1> ranks_;  ///< the rank of the row that found each field
  FieldSet present_;
};

/// A field as another dialect reads it: nothing, a node of the event's payload that needs no translation, a word of the
/// tables, or a new text or value. The cheap alternatives avoid building JSON.
using FieldValue = std::variant<std::monostate, uint32_t, std::string_view, std::string, Json>;

/// Like `field_as` of payload.h, for callers that ask for many fields.
FieldValue field_value(const Event& event, const Dialect& to, Field field, const EventFields& fields);

}  // namespace grapnel
