#include "match/char_class.h"

#include <algorithm>
#include <array>

namespace grapnel::match {

// A class is a bitmap for ASCII and a list of ranges for the rest. Nearly all patterns and subjects are ASCII, so a
// test is one bit.

namespace {

using Ranges = std::vector<std::pair<char32_t, char32_t>>;

/// The ranges of a POSIX class, or null. Only ASCII characters belong to these classes, whatever the locale is, so a
/// pattern means the same on every machine.
const Ranges* find_named(std::string_view name) {
  static const std::array<std::pair<std::string_view, Ranges>, 14> kNamed = {{
      {"alnum", {{'0', '9'}, {'A', 'Z'}, {'a', 'z'}}},
      {"alpha", {{'A', 'Z'}, {'a', 'z'}}},
      {"ascii", {{0, 0x7F}}},
      {"blank", {{' ', ' '}, {'\t', '\t'}}},
      {"cntrl", {{0, 0x1F}, {0x7F, 0x7F}}},
      {"digit", {{'0', '9'}}},
      {"graph", {{0x21, 0x7E}}},
      {"lower", {{'a', 'z'}}},
      {"print", {{0x20, 0x7E}}},
      {"punct", {{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}}},
      {"space", {{'\t', '\r'}, {' ', ' '}}},
      {"upper", {{'A', 'Z'}}},
      {"word", {{'0', '9'}, {'A', 'Z'}, {'a', 'z'}, {'_', '_'}}},
      {"xdigit", {{'0', '9'}, {'A', 'F'}, {'a', 'f'}}},
  }};
  for (const auto& [known, ranges] : kNamed)
    if (known == name) return &ranges;
  return nullptr;
}

/// Adds the class `[:name:]` at the start of `s` and returns its length; 0 if there is none.
size_t add_posix(CharClass& set, std::string_view s) {
  if (!s.starts_with("[:")) return 0;
  const size_t end = s.find(":]");
  if (end == std::string_view::npos || !set.add_named(s.substr(2, end - 2))) return 0;
  return end + 2;
}

/// Takes one character, which may be escaped, and moves `i` past it.
char32_t take_char(std::string_view s, size_t& i) {
  if (s[i] == '\\' && i + 1 < s.size()) ++i;
  const Decoded d = decode_utf8(s.substr(i));
  i += d.length;
  return d.code;
}

/// Whether a dash at `i` makes a range. A dash before the closing bracket stands for itself.
bool is_range(std::string_view s, size_t i) {
  return i + 1 < s.size() && s[i] == '-' && s[i + 1] != ']';
}

}  // namespace

/// Lenient: it checks only that continuation bytes follow, so overlong forms and surrogates are decoded as well.
Decoded decode_utf8(std::string_view s) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(s[i]); };
  const unsigned char lead = byte(0);
  const size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
  if (length == 1 || length > s.size()) return {lead, 1};
  char32_t code = lead & (0xFFU >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {lead, 1};
    code = (code << 6) | (byte(i) & 0x3F);
  }
  return {code, length};
}

bool CharClass::contains(char32_t c) const {
  const auto holds = [c](const auto& range) { return range.first <= c && c <= range.second; };
  const bool member = c < 128 ? ascii_[c] : std::ranges::any_of(wide_, holds);
  return negated_ ? !member && c != '/' : member;
}

void CharClass::add_range(char32_t first, char32_t last) {
  for (char32_t c = first; c <= last && c < 128; ++c) ascii_.set(c);
  if (last >= 128 && first <= last) wide_.emplace_back(std::max<char32_t>(first, 128), last);
}

bool CharClass::add_named(std::string_view name) {
  const Ranges* ranges = find_named(name);
  if (!ranges) return false;
  for (const auto& [first, last] : *ranges) add_range(first, last);
  return true;
}

std::optional<char> CharClass::single() const {
  if (negated_ || !wide_.empty() || ascii_.count() != 1) return std::nullopt;
  return static_cast<char>(ascii_._Find_first());
}

/// Members are single characters, ranges and POSIX classes. As in shells, `!` and `^` both negate.
std::optional<ParsedClass> parse_class(std::string_view s) {
  ParsedClass parsed;
  size_t i = 1;
  if (i < s.size() && (s[i] == '!' || s[i] == '^')) {
    parsed.set.negate();
    ++i;
  }
  for (bool first = true; i < s.size(); first = false) {
    // A `]` directly after the opening bracket is a member, as in POSIX.
    if (s[i] == ']' && !first) {
      parsed.length = i + 1;
      return parsed;
    }
    if (const size_t posix = add_posix(parsed.set, s.substr(i))) {
      i += posix;
      continue;
    }
    const char32_t low = take_char(s, i);
    char32_t high = low;
    if (is_range(s, i)) high = take_char(s, ++i);
    parsed.set.add_range(low, high);
  }
  return std::nullopt;
}

}  // namespace grapnel::match
