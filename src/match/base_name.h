#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "match/glob_parse.h"

/// Globs that depend only on the last segment of a path, such as `**/.env*` and `*.pem`. Most guards are of this kind,
/// so it is worth matching them without running a glob program.
namespace grapnel::match {

struct GlobStyle;

/// Whether only the last segment of a path decides. This is so if the tokens are `**/` and one segment, or one segment
/// alone in a style that compares with base names. The segment must consist of plain characters and wildcards, with at
/// least one wildcard.
bool tells_base_name(const TokenList& tokens, const GlobStyle& style);

/// A pattern `before*behind` for the last segment, which can be compared without a program.
struct BaseNamePattern {
  std::string before;
  std::string behind;

  /// Made from tokens for which `tells_base_name` is true. Nothing if there are several wildcards or no plain
  /// characters.
  static std::optional<BaseNamePattern> of(const TokenList& tokens);
  /// True if the glob certainly matches the path. False means nothing: the program must then be run.
  bool fits(std::string_view path) const;
};

}  // namespace grapnel::match
