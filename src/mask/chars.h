#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>

/// Characters and words, as the searches of this folder see them. The locale plays no part.
namespace grapnel::mask {

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
constexpr bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
constexpr bool is_letter(char c) {
  return is_lower(c) || is_upper(c);
}
/// Part of a name: `API_KEY`, `client-secret`.
constexpr bool is_name_char(char c) {
  return is_letter(c) || is_digit(c) || c == '_' || c == '-';
}
constexpr bool is_blank(char c) {
  return c == ' ' || c == '\t';
}
constexpr bool is_space(char c) {
  return is_blank(c) || c == '\n' || c == '\r';
}
constexpr bool is_quote(char c) {
  return c == '"' || c == '\'' || c == '`';
}

/// The first position from `at` on whose character is not of that kind.
constexpr size_t skip(std::string_view text, size_t at, bool (*is_part)(char)) {
  while (at < text.size() && is_part(text[at])) ++at;
  return at;
}

/// Whether the word is in the table.
constexpr bool is_among(std::string_view word, std::span<const std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

/// The character at that position; '\0' outside of the text.
constexpr char char_at(std::string_view text, size_t at) {
  return at < text.size() ? text[at] : '\0';
}

}  // namespace grapnel::mask
