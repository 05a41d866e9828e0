#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "grapnel/error.h"

#include "match/char_class.h"

namespace grapnel::match {

struct GlobStyle;

enum class TokenKind : uint8_t { Byte, Slash, AnyChar, Star, Globstar, Class, Group };
enum class GroupKind : uint8_t { One, Optional, Many, Some, Not };

struct Token;
using TokenList = std::vector<Token>;

/// One element of a glob.
struct Token {
  TokenKind kind = TokenKind::Byte;
  GroupKind group = GroupKind::One;
  bool at_start = false;   ///< directly behind a `/` or the start of the pattern
  bool after_dot = false;  ///< directly behind a literal dot
  char byte = 0;
  CharClass set;
  std::vector<TokenList> branches;
};

/// Reads a glob without its negation. Whatever is not well-formed stands for itself, as shells have it.
/// Fails: LimitExceeded.
Result<TokenList> parse_glob(std::string_view pattern, const GlobStyle& style);

}  // namespace grapnel::match
