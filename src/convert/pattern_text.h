#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "match/matcher.h"

/// Patterns in a form that is independent of a dialect's syntax, so that they can be read in one syntax and written in
/// another.
///
/// A matcher is a list of alternatives. Each is a name, a regex that may match anywhere (`Search`), a regex that must
/// match everything (`Whole`), a glob, or a rule about commands. Writing tries to say exactly the same in the target
/// syntax. A text that would be read as something else is wrapped: `(?:Edit|Write)` is a regex, while `Edit|Write` may
/// be a list of names. If the syntax cannot say the same, nothing is written.
namespace grapnel {

/// One alternative.
struct PatternText {
  enum class Kind : uint8_t { Name, Search, Whole, Glob, Command };
  Kind kind = Kind::Name;
  std::string text;
  MatchSyntax syntax = MatchSyntax::Exact;  ///< only for globs and rules about commands

  bool operator==(const PatternText&) const = default;
};

/// The alternatives of a compiled matcher; none when it matches everything.
std::vector<PatternText> pattern_texts(const Matcher& matcher);

/// The alternatives as one pattern of that syntax; nullopt when the syntax cannot say the same.
std::optional<std::string> write_patterns(const std::vector<PatternText>& any_of, MatchSyntax syntax);

/// The alternatives of a regex: the text between those `|` that are in no group and no character class.
std::vector<std::string_view> split_alternatives(std::string_view regex);

/// The text between `prefix`, which opens a group, and `suffix`, which closes the same group; nullopt if the regex does
/// not have this form.
std::optional<std::string_view> peel(std::string_view regex, std::string_view prefix, std::string_view suffix);

/// Whether a regex has no special characters.
bool is_plain_word(std::string_view regex);

/// A regex that matches exactly this text.
std::string escape_regex(std::string_view text);

}  // namespace grapnel
