#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grapnel/error.h"

/// Brace lists `{a,b}` and sequences `{1..9}`, `{a..e..2}`, `{01..10}` as shells write them.
namespace grapnel::match {

/// The members of a sequence body such as `1..3`; empty when `body` is none. Limit: `limit` members, then
/// LimitExceeded.
Result<std::vector<std::string>> expand_sequence(std::string_view body, size_t limit);

/// All the patterns that a pattern with braces stands for, in order. Limit: `limit` patterns, then LimitExceeded.
Result<std::vector<std::string>> expand_braces(std::string_view pattern, size_t limit);

/// The end and the top-level separators of a group.
struct GroupSpan {
  size_t close = 0;
  std::vector<size_t> separators;

  /// The text of each branch of the group that opened at `open`.
  std::vector<std::string_view> branches(std::string_view text, size_t open) const;
};

/// The span of the group that opens at `open`, where `{` or `(` stands. False when it is never closed.
bool find_group(std::string_view text, size_t open, GroupSpan& span);

}  // namespace grapnel::match
