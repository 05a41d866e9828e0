#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/boxed.h"

/// Writes values as bytes and reads them again, for the same build of the program on the same machine: nothing is
/// converted, and there are no type marks. The caches on disk use it.
///
/// `ByteWriter` and `ByteReader` are called with the same values in the same order. They know numbers, enumerations,
/// strings, vectors, optionals, pairs, variants and durations. For a struct, write one function that serves both:
///
///   void each_member(auto& bytes, Person& person) { bytes(person.name, person.age); }
namespace grapnel {

/// A fast hash that detects damaged bytes and distinguishes texts. It is no protection against people who forge them.
inline uint64_t quick_hash(std::string_view bytes) {
  constexpr uint64_t kFactor = 0x9E3779B97F4A7C15U;
  std::array<uint64_t, 4> lanes = {bytes.size() * kFactor, 1, 2, 3};  // a processor computes all four at the same time
  const auto mix = [](uint64_t& lane, uint64_t word) {
    lane = (lane ^ word) * kFactor;
    lane ^= lane >> 32;
  };
  const auto take = [&](uint64_t& lane, size_t size) {
    uint64_t word = 0;
    std::memcpy(&word, bytes.data(), size);
    bytes.remove_prefix(size);
    mix(lane, word);
  };
  while (bytes.size() >= lanes.size() * sizeof(uint64_t)) {
    for (uint64_t& lane : lanes) take(lane, sizeof(uint64_t));  // a constant size makes the copy one instruction
  }
  while (!bytes.empty()) take(lanes[0], std::min(bytes.size(), sizeof(uint64_t)));
  for (size_t i = 1; i < lanes.size(); ++i) mix(lanes[0], lanes[i]);
  return lanes[0];
}

/// Collects bytes; `take` returns them.
class ByteWriter {
 public:
  /// Lets `each_member` distinguish the two directions.
  static constexpr bool kReads = false;

  template <typename... T>
  void operator()(const T&... values) {
    (put(values), ...);
  }
  std::string take() { return std::move(out_); }

 private:
  template <typename T>
  void put(const T& value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      out_.append(reinterpret_cast<const char*>(&value), sizeof value);
    } else {
      each_member(*this, const_cast<T&>(value));
    }
  }
  void put(const std::string& text) {
    put(static_cast<uint32_t>(text.size()));
    out_ += text;
  }
  template <typename T>
  void put(const std::vector<T>& values) {
    put(static_cast<uint32_t>(values.size()));
    for (const T& value : values) put(value);
  }
  template <typename T>
  void put(const std::optional<T>& value) {
    put(value.has_value());
    if (value) put(*value);
  }
  template <typename T>
  void put(const Boxed<T>& value) {
    put(value.has_value());
    if (value) put(*value);
  }
  template <typename A, typename B>
  void put(const std::pair<A, B>& value) {
    put(value.first);
    put(value.second);
  }
  template <typename Rep, typename Period>
  void put(const std::chrono::duration<Rep, Period>& value) {
    put(value.count());
  }
  template <size_t kSize>
  void put(const std::bitset<kSize>& bits) {
    static_assert(kSize <= 64);
    put(uint64_t{bits.to_ullong()});
  }
  template <typename... T>
  void put(const std::variant<T...>& value) {
    put(static_cast<uint8_t>(value.index()));
    std::visit([this](const auto& one) { this->put(one); }, value);
  }

  std::string out_;
};

/// Reads the bytes that a `ByteWriter` wrote. They come from a file and may be damaged, so every length is checked, and
/// after the first mistake nothing more is read.
class ByteReader {
 public:
  static constexpr bool kReads = true;

  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  template <typename... T>
  void operator()(T&... values) {
    (get(values), ...);
  }
  /// False once something was missing or impossible. Everything that was read is then worthless.
  bool is_good() const { return is_good_; }
  bool is_at_end() const { return rest_.empty(); }
  /// The next string, without copying it.
  std::string_view next_text() { return next(get_count()); }

 private:
  /// The next bytes; empty after a mistake.
  std::string_view next(size_t size) {
    if (size > rest_.size()) is_good_ = false;
    if (!is_good_) return {};
    const std::string_view bytes = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return bytes;
  }
  template <typename T>
  void get(T& value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      if (const std::string_view bytes = next(sizeof value); is_good_) std::memcpy(&value, bytes.data(), sizeof value);
    } else {
      each_member(*this, value);
    }
  }
  /// A number of things that take at least one byte each. A damaged count can therefore not cause a huge allocation.
  size_t get_count() {
    uint32_t count = 0;
    get(count);
    if (count > rest_.size()) is_good_ = false;
    return is_good_ ? count : 0;
  }
  void get(std::string& text) { text.assign(next(get_count())); }
  template <typename T>
  void get(std::vector<T>& values) {
    const size_t count = get_count();
    values.reserve(count);
    for (size_t i = 0; i < count && is_good_; ++i) get(values.emplace_back());
  }
  template <typename T>
  void get(std::optional<T>& value) {
    bool is_there = false;
    get(is_there);
    if (is_there && is_good_) get(value.emplace());
  }
  template <typename T>
  void get(Boxed<T>& value) {
    bool is_there = false;
    get(is_there);
    if (is_there && is_good_) get(value.emplace());
  }
  template <typename A, typename B>
  void get(std::pair<A, B>& value) {
    get(value.first);
    get(value.second);
  }
  template <typename Rep, typename Period>
  void get(std::chrono::duration<Rep, Period>& value) {
    Rep count{};
    get(count);
    value = std::chrono::duration<Rep, Period>(count);
  }
  template <size_t kSize>
  void get(std::bitset<kSize>& bits) {
    uint64_t number = 0;
    get(number);
    bits = std::bitset<kSize>(number);
  }
  template <typename... T>
  void get(std::variant<T...>& value) {
    uint8_t index = 0;
    get(index);
    // A damaged index must not choose an alternative.
    if (index >= sizeof...(T)) is_good_ = false;
    if (is_good_) get_alternative(value, index, std::index_sequence_for<T...>());
  }
  template <typename Variant, size_t... kIndex>
  void get_alternative(Variant& value, size_t index, std::index_sequence<kIndex...>) {
    ((index == kIndex ? get(value.template emplace<kIndex>()) : void()), ...);
  }

  std::string_view rest_;
  bool is_good_ = true;
};

}  // namespace grapnel
