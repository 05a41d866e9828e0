#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "grapnel/error.h"

#include "match/char_class.h"

/// The second step of compiling a glob: from text to tokens. See glob.h for the whole way.
namespace grapnel::match {

struct GlobStyle;

/// The kinds of tokens. `Globstar` is a `**` that is a whole segment; other stars are `Star`.
enum class TokenKind : uint8_t { Byte, Slash, AnyChar, Star, Globstar, Class, Group };
/// How often a group must match: `@()` and braces once, `?()` at most once, `*()` any number of times, `+()` at least
/// once, `!()` not at all.
enum class GroupKind : uint8_t { One, Optional, Many, Some, Not };

struct Token;
using TokenList = std::vector<Token>;

/// One element of a glob.
struct Token {
  TokenKind kind = TokenKind::Byte;
  GroupKind group = GroupKind::One;
  bool at_start = false;   ///< directly after a `/` or at the start of the pattern
  bool after_dot = false;  ///< directly after a literal dot
  char byte = 0;
  CharClass set;
  /// The alternatives of a Group.
  std::vector<TokenList> branches;
};

/// Reads a glob whose negation has been removed. Anything that is not well-formed stands for itself, as in shells.
/// Fails: LimitExceeded.
Result<TokenList> parse_glob(std::string_view pattern, const GlobStyle& style);

}  // namespace grapnel::match
