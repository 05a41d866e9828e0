#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "grapnel/error.h"

#include "match/glob.h"
#include "match/matcher.h"
#include "match/regex.h"

/// What a `Matcher` holds, and how each `MatchSyntax` is read into it.
namespace grapnel::match {

/// Sorted, each once.
class Names {
 public:
  explicit Names(std::vector<std::string> names = {});
  bool contains(std::string_view name) const;
  const std::vector<std::string>& all() const { return all_; }

 private:
  std::vector<std::string> all_;
};

struct Any {};
struct OneOf {
  Names names;
};
struct Substrings {
  std::vector<std::string> needles;
};
struct Globs {
  std::vector<Glob> any_of;
};
struct Pattern {
  Regex regex;
  Names names;
};
/// A pattern over commands, which `src/call` understands: here it can only be said that it may match.
struct Commands {};
using Form = std::variant<Any, OneOf, Substrings, Globs, Pattern, Commands>;

/// A rule, and whether it stands in for a regex that does not compile.
struct CompiledPattern {
  Form form;
  bool literal = false;
};

/// Whether the engines of regexes are made at once, which finds what is wrong with them, or when they are needed.
enum class Engines : uint8_t { AtOnce, WhenNeeded };

/// Fails: InvalidPattern, LimitExceeded.
Result<CompiledPattern> compile_pattern(std::string_view pattern, MatchSyntax syntax,
                                        Engines engines = Engines::AtOnce);

MatchOutcome apply_pattern(const Form& form, std::string_view subject);

}  // namespace grapnel::match
