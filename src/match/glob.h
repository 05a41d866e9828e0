#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grapnel/error.h"

#include "match/base_name.h"
#include "match/glob_program.h"

/// Path globs.
///
///   ?  one character      *  any run within a segment     **  as a whole segment: any number of segments
///   [a-z] [!x] [^x] [[:alpha:]]        {a,b} {1..3}       \x  x itself        !p  everything but p
///   @(a|b) one of   ?(a) none or one   *(a) any number   +(a) at least one   !(a) anything but
///
/// Agents use two different glob libraries, picomatch and minimatch, and their users expect the same results here.
/// Every difference between the two is one column of `GlobStyle`.
///
/// A pattern is compiled in four steps: negation, braces, tokens (`glob_parse`), program (`glob_program`). The program
/// is run over the subject from its end to its start, with one row of truth values for each position. So a match costs
/// at most the length of the pattern times the length of the subject, whatever the nesting. Nothing backtracks.
namespace grapnel::match {

/// What a glob means. Each member is one difference between the libraries, or between their options.
struct GlobStyle {
  bool star_crosses_slash = false;  ///< `*` matches anything at all, as for commands
  bool dot = false;                 ///< wildcards match a leading dot
  bool match_base = false;          ///< a pattern without `/` is compared with the base name
  bool comments = false;            ///< a leading `#` makes a pattern that matches nothing
  bool expand_braces = false;       ///< braces are expanded first; otherwise they are groups
  bool slash_in_groups = false;     ///< groups may span segments; `(a|b)` is a group too
  bool guard_everywhere = false;    ///< leading dots are guarded in groups and classes as well
  bool empty_segments = false;      ///< `*/a` matches `/a`
  bool globstar_parent = false;     ///< `src/**` matches `src`
  bool any_trailing_slash = false;  ///< `a` matches `a/`, and `a//b` counts as `a/b`
  bool own_text = false;            ///< a subject equal to the pattern matches, and `[id]` also means itself
};

/// picomatch with its default options.
inline constexpr GlobStyle kPicomatch{
    .slash_in_groups = true, .empty_segments = true, .globstar_parent = true, .own_text = true};
/// picomatch for arguments of tools: `*` crosses `/`, and dots are ordinary characters.
inline constexpr GlobStyle kPicomatchBash{.star_crosses_slash = true,
                                          .dot = true,
                                          .slash_in_groups = true,
                                          .empty_segments = true,
                                          .globstar_parent = true,
                                          .own_text = true};
/// minimatch with `matchBase`.
inline constexpr GlobStyle kMinimatchBase{
    .match_base = true, .comments = true, .expand_braces = true, .guard_everywhere = true, .any_trailing_slash = true};

/// Paths in rule files. Wildcards match hidden files and directories too, because a guard must find its files there.
inline constexpr GlobStyle kRulePath{.dot = true,
                                     .match_base = true,
                                     .expand_braces = true,
                                     .empty_segments = true,
                                     .globstar_parent = true,
                                     .any_trailing_slash = true,
                                     .own_text = true};

/// A compiled glob. Thread: any, once compiled.
class Glob {
 public:
  /// Fails: LimitExceeded if the pattern is too long, nested too deeply, or its braces stand for too many patterns.
  static Result<Glob> compile(std::string_view pattern, const GlobStyle& style);

  /// An empty subject matches nothing.
  bool matches(std::string_view subject) const;
  /// Whether the last segment of a path alone decides if it matches, as for `**/.env*` and `*.pem`. This assumes a path
  /// without `.`, `..` and doubled slashes. False also if that segment has no wildcard, and if the answer is hard to
  /// find.
  bool is_about_base_name() const { return is_about_base_name_; }
  /// The number of nodes in all its programs; at most `kMaxGlobNodes`.
  size_t size() const { return nodes_; }

 private:
  struct Alternative {
    GlobProgram program;
    /// Every subject that matches contains this text. Most others do not, and are rejected without running the program.
    std::string needed;
    bool base_only = false;
    std::optional<BaseNamePattern> base_name = {};
  };
  bool matches_any(std::string_view subject) const;

  std::vector<Alternative> alternatives_;
  std::string own_text_;
  size_t nodes_ = 0;
  bool negated_ = false;
  bool is_about_base_name_ = false;
  bool squeeze_slashes_ = false;
};

}  // namespace grapnel::match
