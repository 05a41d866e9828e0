#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

/// Reads a regular expression as ECMAScript does (without the `u` flag) and writes it in the common subset of RE2 and
/// PCRE2. Neither engine reads ECMAScript: `\A`, `\Q`, `a++`, `[[:alpha:]]`, `(*VERB)` mean something else there,
/// `.` and `\s` cover other characters, and `(?<n>...)`, `\u0041`, `\/`, `[]`, `[^]` may not be known. A pattern is
/// therefore never handed over as it is.
///
/// Beyond ECMAScript, `(?i)`, `(?i:...)` (also `m`, `s`) and `(?P<n>...)` are taken: a guard written by somebody used
/// to Python should guard.
namespace grapnel::match {

/// Why a pattern cannot be used, and where.
struct RegexError {
  enum class Kind { Syntax, Unsupported, TooLarge };
  Kind kind = Kind::Syntax;
  std::optional<size_t> offset;  ///< bytes into the pattern, where that is known
  std::string message;
};

struct EcmaTranslation {
  std::string pattern;
  bool needs_backtracking = false;  ///< look-around or back-references: RE2 cannot do it
};

/// Fails: with the first thing that is wrong. Limit: nesting, repetition counts.
std::expected<EcmaTranslation, RegexError> translate_ecma(std::string_view pattern);

}  // namespace grapnel::match
