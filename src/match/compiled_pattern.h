#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "grapnel/error.h"

#include "match/glob.h"
#include "match/matcher.h"
#include "match/regex.h"

/// The inside of a `Matcher`: the forms that a pattern can take, and the functions that turn each `MatchSyntax` into
/// one of them.
namespace grapnel::match {

/// A list of names, sorted and without duplicates.
class Names {
 public:
  explicit Names(std::vector<std::string> names = {});
  bool contains(std::string_view name) const;
  const std::vector<std::string>& all() const { return all_; }

 private:
  std::vector<std::string> all_;
};

/// Matches every subject.
struct Any {};
/// Matches subjects that are equal to one of the names.
struct OneOf {
  Names names;
};
/// Matches subjects that contain one of the needles.
struct Substrings {
  std::vector<std::string> needles;
};
/// Matches subjects that one of the globs matches.
struct Globs {
  std::vector<Glob> any_of;
};
/// Matches subjects that are equal to a name or match the regex.
struct Pattern {
  Regex regex;
  Names names;
};
/// A pattern over shell commands. Only `src/call` understands these; here the answer is always "perhaps".
struct Commands {};
using Form = std::variant<Any, OneOf, Substrings, Globs, Pattern, Commands>;

/// A compiled pattern, and whether it is the literal reading of a regex that does not compile.
struct CompiledPattern {
  Form form;
  bool literal = false;
};

/// When regex engines are built. `AtOnce` finds mistakes in the pattern; `WhenNeeded` saves the time for patterns that
/// are known to be correct.
enum class Engines : uint8_t { AtOnce, WhenNeeded };

/// Reads a pattern in the given syntax. Fails: InvalidPattern, LimitExceeded.
Result<CompiledPattern> compile_pattern(std::string_view pattern, MatchSyntax syntax,
                                        Engines engines = Engines::AtOnce);

/// Compares a subject with a compiled pattern.
MatchOutcome apply_pattern(const Form& form, std::string_view subject);

}  // namespace grapnel::match
