#include "json/number.h"

#include <algorithm>
#include <charconv>
#include <string>

namespace grapnel::json {

// Numbers keep their spelling, so two spellings of one value must be compared exactly, without rounding to a double:
// 2^53 and 2^53 + 1 are the same double. Each token is therefore brought to one normal form, in which `100`, `1e2` and
// `100.0` are the digit 1 with the exponent 3.

namespace {

/// The exact value of a token: ±0.d₁d₂d₃… × 10^exponent, without zeros at either end of the digits. Equal values have
/// equal members; zero has no digits and no sign.
struct Decimal {
  bool negative = false;
  std::string digits;
  int64_t exponent = 0;

  bool operator==(const Decimal&) const = default;
};

/// Larger exponents are all treated alike. No text has enough digits to make up for them.
constexpr int64_t kFarExponent = int64_t{1} << 40;

/// The exponent, cut off at `kFarExponent` so that it cannot overflow.
int64_t read_exponent(std::string_view digits) {
  const bool negative = digits.starts_with('-');
  if (digits.starts_with('-') || digits.starts_with('+')) digits.remove_prefix(1);
  int64_t value = 0;
  for (const char c : digits) value = std::min(value * 10 + (c - '0'), kFarExponent);
  return negative ? -value : value;
}

Decimal to_decimal(std::string_view number) {
  Decimal out;
  out.negative = number.starts_with('-');
  if (out.negative) number.remove_prefix(1);
  if (const size_t e = number.find_first_of("eE"); e != std::string_view::npos) {
    out.exponent = read_exponent(number.substr(e + 1));
    number = number.substr(0, e);
  }
  const size_t point = std::min(number.find('.'), number.size());
  out.exponent += static_cast<int64_t>(point);
  out.digits = number.substr(0, point);
  if (point < number.size()) out.digits += number.substr(point + 1);

  // Zeros at the front move the point, zeros at the end do not.
  const size_t leading = std::min(out.digits.find_first_not_of('0'), out.digits.size());
  out.digits.erase(0, leading);
  out.digits.erase(out.digits.find_last_not_of('0') + 1);
  out.exponent -= static_cast<int64_t>(leading);
  return out.digits.empty() ? Decimal{} : out;
}

/// The number, if all of `s` is one.
template <typename T>
std::optional<T> read_whole(std::string_view s) {
  T value{};
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value);
  if (error != std::errc{} || end != s.data() + s.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<double> to_double(std::string_view number) {
  if (const auto value = read_whole<double>(number)) return value;
  // `from_chars` also fails if the value is out of range; the exponent tells too large from too small.
  const Decimal decimal = to_decimal(number);
  if (decimal.exponent > 0) return std::nullopt;
  return decimal.negative ? -0.0 : 0.0;
}

/// The usual spelling first. Others, such as `1e3`, are whole if all their digits are before the point.
std::optional<int64_t> to_integer(std::string_view number) {
  if (const auto value = read_whole<int64_t>(number)) return value;
  Decimal decimal = to_decimal(number);
  constexpr int64_t kMostDigits = 19;
  const auto length = static_cast<int64_t>(decimal.digits.size());
  if (decimal.exponent < length || decimal.exponent > kMostDigits) return std::nullopt;
  decimal.digits.resize(static_cast<size_t>(decimal.exponent), '0');
  if (decimal.digits.empty()) return 0;
  return read_whole<int64_t>((decimal.negative ? "-" : "") + decimal.digits);
}

bool same_number(std::string_view a, std::string_view b) {
  return a == b || to_decimal(a) == to_decimal(b);
}

}  // namespace grapnel::json
