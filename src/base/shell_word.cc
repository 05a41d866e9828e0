#include "base/shell_word.h"

#include <algorithm>

namespace grapnel {

namespace {

/// Characters that have no meaning in any shell, wherever they are in a word.
bool is_plain(char c) {
  constexpr std::string_view kAlso = "_-./:@%+,";
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || kAlso.contains(c);
}

}  // namespace

/// Inside of single quotes nothing is special except the quote itself. So the quotes are closed, an escaped quote is
/// added, and they are opened again.
std::string quote_word(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return "'" + out + "'";
}

std::string shell_word(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_plain) ? std::string(text) : quote_word(text);
}

}  // namespace grapnel
