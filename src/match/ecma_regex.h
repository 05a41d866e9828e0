#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

/// Translates regular expressions from ECMAScript's syntax (without the `u` flag) to the common subset of RE2 and
/// PCRE2.
///
/// The agents whose hooks Grapnel runs are mostly written in JavaScript, so their patterns must mean what they mean
/// there. Neither engine reads ECMAScript: `\A`, `\Q`, `a++`, `[[:alpha:]]` and `(*VERB)` mean something else to them,
/// `.` and `\s` cover other characters, and `(?<n>...)`, `\u0041`, `\/`, `[]` and `[^]` may be unknown. A pattern is
/// therefore never passed to an engine as it is.
///
/// Beyond ECMAScript, `(?i)`, `(?i:...)` (also with `m` and `s`) and `(?P<n>...)` are accepted, so that a guard works
/// even if its author is used to Python.
namespace grapnel::match {

/// Why a pattern cannot be used, and where.
struct RegexError {
  enum class Kind { Syntax, Unsupported, TooLarge };
  Kind kind = Kind::Syntax;
  std::optional<size_t> offset;  ///< bytes into the pattern, if known
  std::string message;
};

/// A pattern that both engines understand.
struct EcmaTranslation {
  std::string pattern;
  bool needs_backtracking = false;  ///< it has look-around or back-references, which RE2 cannot do
};

/// Fails: with the first mistake. Limit: nesting of groups, repetition counts.
std::expected<EcmaTranslation, RegexError> translate_ecma(std::string_view pattern);

}  // namespace grapnel::match
