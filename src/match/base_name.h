#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "match/glob_parse.h"

/// Globs about the last segment of a path, wherever it is: `**/.env*`, `*.pem`. Most guards are such.
namespace grapnel::match {

struct GlobStyle;

/// Whether the tokens are `**/` and one segment, or one segment alone where that is compared with base names; of plain
/// characters and wildcards, with a wildcard among them.
bool tells_base_name(const TokenList& tokens, const GlobStyle& style);

/// `before*behind` as a last segment, seen without a program.
struct BaseNamePattern {
  std::string before;
  std::string behind;

  /// Of tokens that tell a base name; nothing when there are more wildcards, or no characters.
  static std::optional<BaseNamePattern> of(const TokenList& tokens);
  /// Whether the glob certainly matches the path. Where this is false, it still may.
  bool fits(std::string_view path) const;
};

}  // namespace grapnel::match
