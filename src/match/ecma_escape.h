#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// The lexical half of `ecma_regex.h`: escapes and character classes.
namespace grapnel::match {

/// What has to be known of a whole pattern before its first escape can be read.
struct GroupSurvey {
  unsigned captures = 0;
  std::vector<std::string_view> names;
};
GroupSurvey survey_groups(std::string_view pattern);

/// `[A-Za-z_][A-Za-z0-9_]*`, which both engines take.
bool is_group_name(std::string_view name);

/// One code point, written so that it stands for itself in either engine.
std::string quote_code_point(char32_t c);

/// An escape: what it is, what to write for it, and how many bytes it took.
struct EcmaEscape {
  enum class Kind : uint8_t { Character, Set, Assertion, BackReference, Bad };
  Kind kind = Kind::Character;
  std::string text;  ///< the translation, or what is wrong
  size_t length = 0;
  char32_t code = 0;  ///< of a Character
};
/// Reads the escape at the front of `s`, which starts with a backslash.
EcmaEscape read_escape(std::string_view s, const GroupSurvey& groups, bool in_class);

/// A translated class; when `length` is 0, `text` says what is wrong at `offset`.
struct EcmaClass {
  std::string text;
  size_t length = 0;
  size_t offset = 0;
};
/// Reads the class at the front of `s`, which starts with `[`.
EcmaClass translate_class(std::string_view s, const GroupSurvey& groups);

}  // namespace grapnel::match
