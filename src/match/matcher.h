#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grapnel/error.h"

#include "match/regex.h"

/// Matchers: which tool names, triggers, paths or commands a hook is for.
///
/// A pattern is compiled once, when a configuration is loaded; after that, matching cannot fail. How the text is read
/// is a column of the dialect (`MatchSyntax`), and so is what happens to a regular expression that does not compile.
/// Most patterns that people write are names or lists of names, and these never reach a regex engine.
///
///   compile ->  Any         matches every subject
///               OneOf       a sorted list of names
///               Substrings  an unanchored regex of plain words, `Edit|Write`
///               Globs       path patterns (`glob.h`)
///               Pattern     a regex (`regex.h`)
///               Command     a pattern over shell commands, for `src/call`
///
/// The other headers of this folder are steps on that way: ecma_regex.h translates regexes for the engines, regex.h
/// chooses the engine, glob.h compiles globs, and name_index.h finds the matching ones among many matchers.
///
/// A regex that runs into its limits answers `MatchOutcome::Limit`, and `matches()` treats that as a match: the subject
/// may come from a model or a stranger, and nobody must be able to skip a guard by making the subject hard to match.
namespace grapnel {

/// How a pattern is read.
enum class MatchSyntax : uint8_t {
  Exact,          ///< the whole string
  NamesOrRegex,   ///< Clawd: equal to one of the `|` parts (trimmed), or a regex over the whole subject; bad: literal
  NamesOrSearch,  ///< Blade: `*`; a name; a `|` list of names; otherwise an unanchored regex; bad: literal
  ListOrSearch,   ///< Claude: `*`; a list of names split on `|` and `,`; otherwise an unanchored regex; bad: an error
  WordsOrSearch,  ///< Codex: the same, but names have no `-` and are separated by `|` alone
  SearchRegex,    ///< Gemini tools: trimmed; `*`; otherwise an unanchored regex; bad: literal
  StrictRegex,    ///< an unanchored regex; bad: an error
  ExactOrAny,     ///< Gemini triggers: trimmed; `*`; otherwise the whole string
  Glob,           ///< picomatch with its defaults
  GlobBash,       ///< picomatch for arguments of tools: `*` crosses `/`, dots are ordinary
  GlobMatchBase,  ///< minimatch with `matchBase`; alternatives separated by `|`
  GlobPath,       ///< rule files: `*` stays in a segment, dots are ordinary, without a `/` it is about the base name
  Command,        ///< a permission rule's pattern over the simple commands of a line; `src/call` matches it
};

/// A compiled pattern. Cheap to copy. Thread: any.
///
/// In every syntax except `Exact`, an empty pattern matches everything, like a matcher that was left out.
class Matcher {
 public:
  /// Fails: InvalidPattern, with the byte at which the mistake is; LimitExceeded if the pattern is too large for its
  /// engine.
  static Result<Matcher> compile(std::string_view pattern, MatchSyntax syntax);

  /// A pattern that compiled before, for example in the process that wrote the cache. `literal` says whether its regex
  /// was bad and stands for itself. It is compiled when it is first used.
  static Matcher known(std::string pattern, MatchSyntax syntax, bool literal);

  /// True for `Yes` and for `Limit`, so that a guard runs rather than being skipped.
  bool matches(std::string_view subject) const { return try_match(subject) != MatchOutcome::No; }
  MatchOutcome try_match(std::string_view subject) const;

  bool matches_everything() const;
  /// All the subjects that it can match, sorted, if it is a list of names. An index can then look names up.
  std::optional<std::vector<std::string>> exact_names() const;
  /// Whether it is a glob for which only the last segment of a path decides, see `Glob::is_about_base_name`.
  bool is_about_base_name() const;
  /// Whether the regex did not compile and the dialect takes such a pattern literally.
  bool fell_back_to_literal() const;

  std::string_view pattern() const;
  MatchSyntax syntax() const;
  /// One line for people: `regex /Edit|Write/ (search)`.
  std::string describe() const;

 private:
  struct Impl;
  explicit Matcher(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

  std::shared_ptr<const Impl> impl_;
};

}  // namespace grapnel
