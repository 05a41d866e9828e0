#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace grapnel::match {

/// One UTF-8 character; a byte that starts no valid sequence stands for itself.
struct Decoded {
  char32_t code = 0;
  size_t length = 1;
};
Decoded decode_utf8(std::string_view s);

/// The set of characters written as `[a-z]`, `[!x]` or `[[:alpha:]]` in a glob. A negated set never holds `/`.
class CharClass {
 public:
  bool contains(char32_t c) const;

  void add_range(char32_t first, char32_t last);
  /// Fails (returns false) when there is no POSIX class of that name.
  bool add_named(std::string_view name);
  void negate() { negated_ = true; }

  /// The only member, when there is exactly one and it is ASCII.
  std::optional<char> single() const;

 private:
  std::bitset<128> ascii_;
  std::vector<std::pair<char32_t, char32_t>> wide_;
  bool negated_ = false;
};

/// A class found in a pattern, and how many bytes of the pattern it is.
struct ParsedClass {
  CharClass set;
  size_t length = 0;
};

/// Reads the class at the front of `s` (which starts with `[`); nothing when it is never closed.
std::optional<ParsedClass> parse_class(std::string_view s);

}  // namespace grapnel::match
