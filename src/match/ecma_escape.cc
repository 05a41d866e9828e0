#include "match/ecma_escape.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include "match/char_class.h"
#include "match/regex_walk.h"

namespace grapnel::match {

namespace {

using Kind = EcmaEscape::Kind;

// White space as ECMAScript defines it, and its complement. RE2's and PCRE2's own `\s` cover other characters. The
// complement is needed because `[a\S]` cannot be written with a negated class.
constexpr std::string_view kSpace =
    "\\t-\\r\\x{20}\\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{3000}\\x{FEFF}";
constexpr std::string_view kNotSpace =
    "\\x{0}-\\x{8}\\x{E}-\\x{1F}\\x{21}-\\x{9F}\\x{A1}-\\x{167F}\\x{1681}-\\x{1FFF}\\x{200B}-\\x{2027}"
    "\\x{202A}-\\x{202E}\\x{2030}-\\x{205E}\\x{2060}-\\x{2FFF}\\x{3001}-\\x{FEFE}\\x{FF00}-\\x{10FFFF}";

bool is_alnum(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

/// The number that exactly `digits` hexadecimal digits at `at` stand for.
std::optional<char32_t> read_hex(std::string_view s, size_t at, size_t digits) {
  if (s.size() < at + digits) return std::nullopt;
  uint32_t value = 0;
  const char* end = s.data() + at + digits;
  const auto result = std::from_chars(s.data() + at, end, value, 16);
  return result.ec == std::errc{} && result.ptr == end ? std::optional<char32_t>(value) : std::nullopt;
}

EcmaEscape character(char32_t c, size_t length) {
  return {Kind::Character, quote_code_point(c), length, c};
}

/// `\uXXXX`. Two surrogates in a row are one character; without four digits, `\u` is the letter u.
EcmaEscape read_unicode(std::string_view s) {
  const auto high = read_hex(s, 2, 4);
  if (!high) return character('u', 2);
  const bool pairs = *high >= 0xD800 && *high < 0xDC00 && s.substr(6).starts_with("\\u");
  const auto low = pairs ? read_hex(s, 8, 4) : std::nullopt;
  if (low && *low >= 0xDC00 && *low < 0xE000)
    return character(0x10000 + ((*high - 0xD800) << 10) + (*low - 0xDC00), 12);
  return character(*high, 6);
}

/// `\1` is a back-reference if there are that many groups, otherwise an octal number or the digit itself. This is the
/// old rule of ECMAScript that browsers keep.
EcmaEscape read_digits(std::string_view s, const GroupSurvey& groups, bool in_class) {
  unsigned number = 0;
  const auto decimal = std::from_chars(s.data() + 1, s.data() + s.size(), number);
  if (!in_class && s[1] != '0' && decimal.ec == std::errc{} && number <= groups.captures)
    return {Kind::BackReference, "\\g{" + std::to_string(number) + "}", static_cast<size_t>(decimal.ptr - s.data()), 0};
  unsigned value = 0;
  size_t i = 1;
  while (i < s.size() && i < 4 && s[i] >= '0' && s[i] <= '7' && value * 8 + (s[i] - '0') < 256)
    value = value * 8 + static_cast<unsigned>(s[i++] - '0');
  return i == 1 ? character(static_cast<char32_t>(s[1]), 2) : character(value, i);
}

/// Whether the pattern has a group with that name.
bool is_known(const GroupSurvey& groups, std::string_view name) {
  return std::ranges::find(groups.names, name) != groups.names.end();
}

/// `\k<name>`; an error unless a group of that name exists.
EcmaEscape read_named_reference(std::string_view s, const GroupSurvey& groups) {
  const size_t end = s.find('>');
  if (s.size() < 3 || s[2] != '<' || end == std::string_view::npos || !is_known(groups, s.substr(3, end - 3)))
    return {Kind::Bad, "invalid named reference", 0, 0};
  return {Kind::BackReference, std::string(s.substr(0, end + 1)), end + 1, 0};
}

/// Escapes that stand for sets of characters. Outside of a class, the spelled-out ones get brackets of their own.
std::optional<EcmaEscape> read_set(char c, bool in_class) {
  const auto wrap = [&](std::string_view inside) {
    return EcmaEscape{Kind::Set, in_class ? std::string(inside) : "[" + std::string(inside) + "]", 2, 0};
  };
  switch (c) {
    case 'd':
    case 'D':
    case 'w':
    case 'W':
      return EcmaEscape{Kind::Set, {'\\', c}, 2, 0};
    case 's':
      return wrap(kSpace);
    case 'S':
      return wrap(kNotSpace);
    default:
      return std::nullopt;
  }
}

/// The escapes of control characters that have a letter.
std::optional<char32_t> control_code(char c) {
  switch (c) {
    case 't':
      return '\t';
    case 'n':
      return '\n';
    case 'v':
      return '\v';
    case 'f':
      return '\f';
    case 'r':
      return '\r';
    default:
      return std::nullopt;
  }
}

/// The character after `\c`. Inside of a class, ECMAScript also accepts digits and the underscore.
bool is_control_letter(char c, bool in_class) {
  return std::isalpha(static_cast<unsigned char>(c)) || (in_class && (is_alnum(c) || c == '_'));
}

/// Translates a class member by member. ECMAScript has two classes that the engines lack: `[]` matches nothing and
/// `[^]` matches every character.
class ClassReader {
 public:
  ClassReader(std::string_view text, const GroupSurvey& groups) : text_(text), groups_(groups) {}

  EcmaClass read() {
    const bool negated = text_.substr(1).starts_with('^');
    pos_ = negated ? 2 : 1;
    while (pos_ < text_.size() && text_[pos_] != ']') {
      const EcmaEscape low = take_member();
      if (low.kind == Kind::Bad) return {low.text, 0, pos_};
      if (!take_range(low)) return {"range out of order in character class", 0, pos_};
    }
    if (pos_ >= text_.size()) return {"missing ]", 0, 0};
    constexpr std::string_view kEverything = "\\x{0}-\\x{10FFFF}";
    if (members_.empty()) return {(negated ? "[" : "[^") + std::string(kEverything) + "]", pos_ + 1, 0};
    return {(negated ? "[^" : "[") + members_ + "]", pos_ + 1, 0};
  }

 private:
  /// One member: an escape or a character.
  EcmaEscape take_member() {
    EcmaEscape member;
    if (text_[pos_] == '\\') {
      member = read_escape(text_.substr(pos_), groups_, true);
    } else {
      const Decoded d = decode_utf8(text_.substr(pos_));
      member = character(d.code, d.length);
    }
    pos_ += member.length;
    return member;
  }

  /// Writes `low`, or the range that begins with it. A dash next to a set such as `\w` stands for itself.
  bool take_range(const EcmaEscape& low) {
    members_ += low.text;
    const std::string_view rest = text_.substr(pos_);
    if (rest.size() < 2 || rest[0] != '-' || rest[1] == ']') return true;
    ++pos_;
    const EcmaEscape high = take_member();
    if (high.kind == Kind::Bad) return false;
    const bool range = low.kind == Kind::Character && high.kind == Kind::Character;
    if (range && high.code < low.code) return false;
    members_ += (range ? "-" : "\\-") + high.text;
    return true;
  }

  std::string_view text_;
  const GroupSurvey& groups_;
  size_t pos_ = 0;
  std::string members_;
};

}  // namespace

/// Counts the groups that capture: `(` and named groups, but neither look-behind nor `(?:`.
GroupSurvey survey_groups(std::string_view pattern) {
  GroupSurvey survey;
  walk_regex(pattern, [&](size_t at, char c) {
    if (c != '(') return;
    const std::string_view rest = pattern.substr(at + 1);
    const bool look = rest.starts_with("?<=") || rest.starts_with("?<!");
    const bool named = !look && (rest.starts_with("?<") || rest.starts_with("?P<"));
    survey.captures += named || !rest.starts_with('?') ? 1 : 0;
    if (named) survey.names.push_back(rest.substr(rest.find('<') + 1, rest.find('>') - rest.find('<') - 1));
  });
  return survey;
}

bool is_group_name(std::string_view name) {
  const auto is_word = [](char c) { return is_alnum(c) || c == '_'; };
  return !name.empty() && name.size() <= 32 && !std::isdigit(static_cast<unsigned char>(name[0])) &&
         std::ranges::all_of(name, is_word);
}

/// Letters and digits are never escaped, because a backslash would give them a meaning; all other printable ASCII is.
std::string quote_code_point(char32_t c) {
  if (c < 128 && (is_alnum(static_cast<char>(c)) || c == '_')) return {static_cast<char>(c)};
  if (c > 0x20 && c < 0x7F) return {'\\', static_cast<char>(c)};
  char hex[8];
  const auto end = std::to_chars(hex, hex + sizeof hex, static_cast<uint32_t>(c), 16).ptr;
  return "\\x{" + std::string(hex, end) + "}";
}

/// Without the `u` flag, ECMAScript gives a meaning to every escape: one that it does not know stands for the character
/// itself. So only a lone backslash and a bad named reference are mistakes.
EcmaEscape read_escape(std::string_view s, const GroupSurvey& groups, bool in_class) {
  if (s.size() < 2) return {Kind::Bad, "\\ at the end of the pattern", 0, 0};
  const char c = s[1];
  if (auto set = read_set(c, in_class)) return *set;
  if (const auto control = control_code(c)) return character(*control, 2);
  if (std::isdigit(static_cast<unsigned char>(c))) return read_digits(s, groups, in_class);
  switch (c) {
    case 'b':
      if (in_class) return character('\b', 2);
      [[fallthrough]];
    case 'B':
      if (!in_class) return {Kind::Assertion, {'\\', c}, 2, 0};
      break;
    case 'u':
      return read_unicode(s);
    case 'x':
      if (const auto code = read_hex(s, 2, 2)) return character(*code, 4);
      break;
    case 'c':
      if (s.size() > 2 && is_control_letter(s[2], in_class)) return character(s[2] % 32U, 3);
      // Without a letter after it, the backslash itself is the character, and the `c` is read again as plain text.
      return character('\\', 1);
    case 'k':
      if (!groups.names.empty() && !in_class) return read_named_reference(s, groups);
      break;
    default:
      break;
  }
  // Every other escaped character stands for itself.
  const Decoded d = decode_utf8(s.substr(1));
  return character(d.code, 1 + d.length);
}

EcmaClass translate_class(std::string_view s, const GroupSurvey& groups) {
  return ClassReader(s, groups).read();
}

}  // namespace grapnel::match
