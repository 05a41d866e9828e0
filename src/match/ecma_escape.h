#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// The lexical half of `ecma_regex.h`: escapes and character classes.
namespace grapnel::match {

/// The capture groups of a whole pattern. They must be known before the first escape is read: `\1` is a back-reference
/// only if there is a first group.
struct GroupSurvey {
  unsigned captures = 0;
  std::vector<std::string_view> names;
};
GroupSurvey survey_groups(std::string_view pattern);

/// Whether a group name has the form `[A-Za-z_][A-Za-z0-9_]*`, which both engines accept.
bool is_group_name(std::string_view name);

/// One code point, spelled so that it stands for itself in both engines.
std::string quote_code_point(char32_t c);

/// An escape: its kind, its translation, and its length in bytes.
struct EcmaEscape {
  enum class Kind : uint8_t { Character, Set, Assertion, BackReference, Bad };
  Kind kind = Kind::Character;
  std::string text;  ///< the translation, or what is wrong
  size_t length = 0;
  char32_t code = 0;  ///< only of a Character
};
/// Reads the escape at the start of `s`, which begins with a backslash.
EcmaEscape read_escape(std::string_view s, const GroupSurvey& groups, bool in_class);

/// A translated class. If `length` is 0, `text` says what is wrong at `offset`.
struct EcmaClass {
  std::string text;
  size_t length = 0;
  size_t offset = 0;
};
/// Reads the class at the start of `s`, which begins with `[`.
EcmaClass translate_class(std::string_view s, const GroupSurvey& groups);

}  // namespace grapnel::match
