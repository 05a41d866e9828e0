#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "match/matcher.h"

/// Patterns apart from how a dialect writes them, so that one dialect's can be written in another's syntax.
///
/// A matcher is a list of alternatives. Each is a name, a regular expression that may match anywhere or that must match
/// all of its subject, a glob, or a rule over commands. Writing them in a syntax tries to say exactly the same; what
/// would be read as something else is wrapped (`(?:Edit|Write)` is no list of names), and what cannot be said is not.
namespace grapnel {

struct PatternText {
  enum class Kind : uint8_t { Name, Search, Whole, Glob, Command };
  Kind kind = Kind::Name;
  std::string text;
  MatchSyntax syntax = MatchSyntax::Exact;  ///< of a glob or a rule over commands

  bool operator==(const PatternText&) const = default;
};

/// The alternatives of a compiled matcher; none when it matches everything.
std::vector<PatternText> pattern_texts(const Matcher& matcher);

/// The alternatives as one pattern of that syntax, or nothing when it cannot say the same.
std::optional<std::string> write_patterns(const std::vector<PatternText>& any_of, MatchSyntax syntax);

/// A regular expression's alternatives: split at each `|` that is in no group or class.
std::vector<std::string_view> split_alternatives(std::string_view regex);

/// What stands between a prefix that opens a group and a suffix that closes the same one; nothing when it is otherwise.
std::optional<std::string_view> peel(std::string_view regex, std::string_view prefix, std::string_view suffix);

/// Whether a regular expression is nothing but a word.
bool is_plain_word(std::string_view regex);

/// The text as a regular expression that matches it.
std::string escape_regex(std::string_view text);

}  // namespace grapnel
