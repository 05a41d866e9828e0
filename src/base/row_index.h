#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

/// Finds the rows of a table by name, without comparing the name with every row. The index is made by the compiler:
///
///   constexpr auto kRows = std::to_array<Row>({…});
///   constexpr RowIndex kIndex(kRows, &Row::name);
///
/// Several rows may have the same name. Thread: any.
namespace grapnel {

template <typename Row, size_t N, typename Name = std::identity>
class RowIndex {
 public:
  consteval explicit RowIndex(const std::array<Row, N>& rows, Name name = {}) : rows_(rows), name_(name) {
    for (const Row& row : rows) ++starts_[bucket_of(std::invoke(name_, row)) + 1];
    for (size_t i = 0; i < kBuckets; ++i) starts_[i + 1] += starts_[i];
    auto next = starts_;
    for (size_t i = 0; i < N; ++i) order_[next[bucket_of(std::invoke(name_, rows[i]))]++] = static_cast<uint16_t>(i);
  }

  /// The first row with that name, or null.
  const Row* find(std::string_view name) const {
    const size_t bucket = bucket_of(name);
    for (size_t i = starts_[bucket]; i < starts_[bucket + 1]; ++i) {
      if (std::invoke(name_, rows_[order_[i]]) == name) return &rows_[order_[i]];
    }
    return nullptr;
  }
  bool contains(std::string_view name) const { return find(name) != nullptr; }

  /// Calls `take` with every row of that name, in the order of the table.
  template <typename Take>
  void each(std::string_view name, const Take& take) const {
    const size_t bucket = bucket_of(name);
    for (size_t i = starts_[bucket]; i < starts_[bucket + 1]; ++i) {
      const Row& row = rows_[order_[i]];
      if (std::invoke(name_, row) == name) take(row);
    }
  }

 private:
  static_assert(N <= UINT16_MAX);
  static constexpr size_t kBuckets = 256;

  static constexpr size_t bucket_of(std::string_view name) {
    if (name.empty()) return 0;
    const auto at = [&](size_t i) { return static_cast<size_t>(static_cast<unsigned char>(name[i])); };
    return (name.size() * 67 + at(0) * 31 + at(name.size() / 2) * 7 + at(name.size() - 1) * 13) % kBuckets;
  }

  const std::array<Row, N>& rows_;
  Name name_;
  std::array<uint16_t, kBuckets + 1> starts_{};
  std::array<uint16_t, N> order_{};
};

template <typename Row, size_t N>
RowIndex(const std::array<Row, N>&) -> RowIndex<Row, N>;

}  // namespace grapnel
