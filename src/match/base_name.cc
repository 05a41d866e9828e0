#include "match/base_name.h"

#include <algorithm>
#include <span>

#include "base/text.h"
#include "match/glob.h"

namespace grapnel::match {

namespace {

/// The tokens after a leading `**/`, or all tokens if there is none.
std::span<const Token> last_segment(const TokenList& tokens) {
  const bool is_anywhere =
      tokens.size() > 2 && tokens[0].kind == TokenKind::Globstar && tokens[1].kind == TokenKind::Slash;
  return std::span(tokens).subspan(is_anywhere ? 2 : 0);
}

bool is_byte(const Token& token) {
  return token.kind == TokenKind::Byte;
}

bool is_wild(const Token& token) {
  return token.kind == TokenKind::Star || token.kind == TokenKind::AnyChar;
}

/// The program has special rules for these two names.
bool is_dots(std::string_view segment) {
  return segment == "." || segment == "..";
}

}  // namespace

/// If wildcards do not match leading dots, `**/` does not enter hidden directories; if `*` crosses slashes, it reaches
/// into the directory. In both cases the directory matters as well, so these styles never qualify.
bool tells_base_name(const TokenList& tokens, const GlobStyle& style) {
  if (style.star_crosses_slash || !style.dot) return false;
  const std::span<const Token> segment = last_segment(tokens);
  if (segment.size() == tokens.size() && !style.match_base) return false;
  return std::ranges::all_of(segment, [](const Token& token) { return is_byte(token) || is_wild(token); }) &&
         std::ranges::any_of(segment, is_wild);
}

std::optional<BaseNamePattern> BaseNamePattern::of(const TokenList& tokens) {
  const std::span<const Token> segment = last_segment(tokens);
  BaseNamePattern out;
  std::string* part = &out.before;
  for (const Token& token : segment) {
    if (is_byte(token)) {
      *part += token.byte;
    } else if (token.kind == TokenKind::Star && part == &out.before) {
      part = &out.behind;
    } else {
      return std::nullopt;
    }
  }
  return segment.size() > 1 ? std::optional(std::move(out)) : std::nullopt;
}

bool BaseNamePattern::fits(std::string_view path) const {
  const size_t begin = path.rfind('/') + 1;
  const std::string_view name = path.substr(begin);
  if (name.size() < before.size() + behind.size() || !name.starts_with(before) || !name.ends_with(behind)) return false;
  // The program has special rules for the segments `.` and `..`. Paths with them are rare, so they are left to it.
  const std::string_view directory = path.substr(0, begin);
  return !is_dots(name) && (!directory.contains('.') || std::ranges::none_of(text::split(directory, '/'), is_dots));
}

}  // namespace grapnel::match
