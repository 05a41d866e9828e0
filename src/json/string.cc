#include "json/string.h"

#include <array>
#include <cstdint>

#include "base/text.h"
#include "json/scan.h"

namespace grapnel::json {

// Strings are checked when they are read, so unescaping may assume valid escapes: `\u` is followed by four digits, and
// every other escape is one of the eight known letters.

namespace {

constexpr std::string_view kHex = "0123456789abcdef";
constexpr uint32_t kReplacement = 0xFFFD;

/// The value of a digit that is known to be hexadecimal.
uint32_t hex_value(char c) {
  if (c <= '9') return static_cast<uint32_t>(c - '0');
  return static_cast<uint32_t>((c | 0x20) - 'a' + 10);
}

/// The four digits of the `\uXXXX` at the start of `body`.
uint32_t read_unit(std::string_view body) {
  return hex_value(body[2]) << 12U | hex_value(body[3]) << 8U | hex_value(body[4]) << 4U | hex_value(body[5]);
}

bool is_low_surrogate(uint32_t unit) {
  return unit >= 0xDC00 && unit < 0xE000;
}

/// Removes a `\uXXXX`, or a surrogate pair that makes one character, from the start of `body`. A lone surrogate becomes
/// U+FFFD.
uint32_t take_code_point(std::string_view& body) {
  const uint32_t unit = read_unit(body);
  body.remove_prefix(6);
  if (unit < 0xD800 || unit >= 0xE000) return unit;
  if (is_low_surrogate(unit) || !body.starts_with("\\u")) return kReplacement;
  const uint32_t low = read_unit(body);
  if (!is_low_surrogate(low)) return kReplacement;
  body.remove_prefix(6);
  return 0x10000 + ((unit - 0xD800) << 10U) + (low - 0xDC00);
}

using Utf8 = std::array<char, 4>;

/// The UTF-8 of a code point, in `buffer`.
std::string_view encode(uint32_t point, Utf8& buffer) {
  const auto tail = [&](uint32_t shift) { return static_cast<char>(0x80 | ((point >> shift) & 0x3F)); };
  if (point < 0x80) {
    buffer = {static_cast<char>(point)};
    return {buffer.data(), 1};
  }
  if (point < 0x800) {
    buffer = {static_cast<char>(0xC0 | point >> 6U), tail(0)};
    return {buffer.data(), 2};
  }
  if (point < 0x10000) {
    buffer = {static_cast<char>(0xE0 | point >> 12U), tail(6), tail(0)};
    return {buffer.data(), 3};
  }
  buffer = {static_cast<char>(0xF0 | point >> 18U), tail(12), tail(6), tail(0)};
  return {buffer.data(), 4};
}

/// Removes the escape at the start of `body` and returns the text it stands for.
std::string_view take_escape(std::string_view& body, Utf8& buffer) {
  if (body[1] == 'u') return encode(take_code_point(body), buffer);
  constexpr std::string_view kFrom = "bfnrt\"\\/";
  constexpr std::string_view kTo = "\b\f\n\r\t\"\\/";
  const size_t which = kFrom.find(body[1]);
  body.remove_prefix(2);
  return kTo.substr(which, 1);
}

/// Passes the decoded text to `take` piece by piece, for as long as that returns true. So a comparison needs no copy.
template <typename Take>
bool for_each_piece(std::string_view body, Take take) {
  Utf8 buffer{};
  while (!body.empty()) {
    const std::string_view verbatim = body.substr(0, body.find('\\'));
    body.remove_prefix(verbatim.size());
    if (!take(verbatim)) return false;
    if (!body.empty() && !take(take_escape(body, buffer))) return false;
  }
  return true;
}

/// The short escape if JSON has one, otherwise `\u00XX`.
void append_escape(std::string& out, char c) {
  constexpr std::string_view kFrom = "\b\f\n\r\t\"\\";
  constexpr std::string_view kTo = "bfnrt\"\\";
  out += '\\';
  if (const size_t which = kFrom.find(c); which != std::string_view::npos) {
    out += kTo[which];
    return;
  }
  const auto byte = static_cast<unsigned char>(c);
  out += "u00";
  out += kHex[byte >> 4U];
  out += kHex[byte & 0xFU];
}

/// Plain runs are copied at once; quotes, backslashes and control characters are escaped; other characters stay UTF-8.
void append_body(std::string& out, std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  for (;;) {
    const char* const stop = skip_plain_bytes(at, end);
    out.append(at, stop);
    at = stop;
    if (at == end) return;
    if (static_cast<unsigned char>(*at) < 0x80) {
      append_escape(out, *at++);
      continue;
    }
    const size_t length = multibyte_length(at, end);
    // Invalid UTF-8 is rare: the rest is copied once in repaired form.
    if (length == 0) return append_body(out, text::to_valid_utf8({at, end}));
    out.append(at, length);
    at += length;
  }
}

}  // namespace

std::string unescape(std::string_view body) {
  std::string out;
  out.reserve(body.size());
  for_each_piece(body, [&](std::string_view piece) {
    out += piece;
    return true;
  });
  return out;
}

bool unescapes_to(std::string_view body, std::string_view text) {
  const bool is_prefix = for_each_piece(body, [&](std::string_view piece) {
    if (!text.starts_with(piece)) return false;
    text.remove_prefix(piece.size());
    return true;
  });
  return is_prefix && text.empty();
}

void append_quoted(std::string& out, std::string_view text) {
  constexpr size_t kShort = 64;  // writing these bytes twice is faster than three appends with their capacity checks
  const char* const end = text.data() + text.size();
  if (text.size() <= kShort && skip_plain_bytes(text.data(), end) == end) {
    const size_t start = out.size();
    out.resize(start + text.size() + 2, '"');
    text.copy(out.data() + start + 1, text.size());
    return;
  }
  out += '"';
  append_body(out, text);
  out += '"';
}

}  // namespace grapnel::json
