#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "grapnel/event.h"

namespace grapnel {

/// The event rows of a dialect, in the order of its table, with an index by kind. The row of an event is needed many
/// times while its hooks run, and searching the large rows would be slow.
///
/// The index is built while the program is compiled. It has the first row of each kind, and says whether there are
/// more.
template <typename Row>
class RowsByKind {
 public:
  constexpr RowsByKind() = default;
  /// Borrows the table, which must outlive it.
  template <size_t N>
  constexpr RowsByKind(const std::array<Row, N>& rows) : rows_(rows) {  // NOLINT: a table is meant to be given as it is
    static_assert(N < UINT8_MAX);
    // Backwards, so that the first row of a kind is the last one to be entered.
    for (size_t i = N; i-- > 0;) {
      KindRange& place = places_[static_cast<size_t>(rows[i].kind)];
      place = {static_cast<uint8_t>(i + 1), place.first != 0};
    }
  }

  /// The first row of that kind, or null if there is none.
  constexpr const Row* first(EventKind kind) const {
    const size_t place = places_[static_cast<size_t>(kind)].first;
    return place == 0 ? nullptr : &rows_[place - 1];
  }
  /// Whether the kind has more than one row; then the payload decides between them (`row_of`).
  constexpr bool has_several(EventKind kind) const { return places_[static_cast<size_t>(kind)].has_several; }

  constexpr auto begin() const { return rows_.begin(); }
  constexpr auto end() const { return rows_.end(); }
  constexpr size_t size() const { return rows_.size(); }
  constexpr const Row& operator[](size_t place) const { return rows_[place]; }

 private:
  struct KindRange {
    uint8_t first = 0;  ///< the place in the table, counted from 1; 0 means that there is none
    bool has_several = false;
  };

  std::span<const Row> rows_;
  std::array<KindRange, kEventKindCount> places_{};
};

}  // namespace grapnel
