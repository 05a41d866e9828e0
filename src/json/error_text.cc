#include "json/error_text.h"

#include <algorithm>

#include "json/scan.h"

namespace grapnel::json {

namespace {

constexpr size_t kLongestWord = 24;

bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string quote(std::string_view s) {
  return "'" + std::string(s) + "'";
}

/// The word at the start of `rest` in quotes, shortened if it is long.
std::string describe_word(std::string_view rest) {
  const auto end = std::find_if_not(rest.begin(), rest.end(), is_word_char);
  const std::string_view word(rest.begin(), end);
  return word.size() <= kLongestWord ? quote(word) : quote(std::string(word.substr(0, kLongestWord)) + "…");
}

}  // namespace

std::string describe_byte(char c) {
  constexpr std::string_view kHex = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  return std::string("byte 0x") + kHex[byte >> 4U] + kHex[byte & 0xFU];
}

/// What the reader found instead of what it expected, in words that help people who look at the file.
std::string describe_found(std::string_view rest) {
  if (rest.empty()) return "the end of the text";
  const char c = rest.front();
  if (rest.starts_with("//") || rest.starts_with("/*")) return "a comment";
  if (c == '"') return "a string";
  if (c == '\'') return "a single quote";
  if (is_word_char(c)) return describe_word(rest);
  // Control characters and broken UTF-8 cannot be shown, so they are named by their byte.
  if (is_plain_byte(c) || c == '\\') return quote(rest.substr(0, 1));
  if (static_cast<unsigned char>(c) < 0x80) return describe_byte(c);
  const size_t length = multibyte_length(rest.data(), rest.data() + rest.size());
  return length == 0 ? describe_byte(c) : quote(rest.substr(0, length));
}

}  // namespace grapnel::json
