#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

/// Character classes of globs, and the UTF-8 decoding that they need. Classes of regexes are in ecma_escape.h.
namespace grapnel::match {

/// One UTF-8 character. A byte that starts no valid sequence is decoded as itself.
struct Decoded {
  char32_t code = 0;
  size_t length = 1;
};
Decoded decode_utf8(std::string_view s);

/// The set of characters that a glob writes as `[a-z]`, `[!x]` or `[[:alpha:]]`. A negated set never contains `/`.
class CharClass {
 public:
  bool contains(char32_t c) const;

  /// Adds all characters from `first` to `last`; nothing if they are in the wrong order.
  void add_range(char32_t first, char32_t last);
  /// False if there is no POSIX class with that name.
  bool add_named(std::string_view name);
  void negate() { negated_ = true; }

  /// The only member, if the set has exactly one and it is ASCII.
  std::optional<char> single() const;

 private:
  std::bitset<128> ascii_;
  std::vector<std::pair<char32_t, char32_t>> wide_;
  bool negated_ = false;
};

/// A class in a pattern, and its length in bytes.
struct ParsedClass {
  CharClass set;
  size_t length = 0;
};

/// Reads the class at the start of `s`, which begins with `[`. Nothing if it is never closed; the bracket is then plain
/// text.
std::optional<ParsedClass> parse_class(std::string_view s);

}  // namespace grapnel::match
