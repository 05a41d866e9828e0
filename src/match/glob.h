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
/// Two libraries set what users expect of a glob, and they differ; every difference is one column of `GlobStyle`.
/// A pattern goes: negation -> braces -> tokens (`glob_parse`) -> program (`glob_program`). A program is run over the
/// subject from its end to its start, one row of truth values per position, so that matching costs
/// pattern x subject at worst, whatever the nesting. Nothing backtracks.
namespace grapnel::match {

/// What a glob means, column by column.
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
  bool any_trailing_slash = false;  ///< `a` matches `a/`, and `a//b` is `a/b`
  bool own_text = false;            ///< a subject equal to the pattern matches, and `[id]` also means itself
};

/// picomatch with its default options.
inline constexpr GlobStyle kPicomatch{
    .slash_in_groups = true, .empty_segments = true, .globstar_parent = true, .own_text = true};
/// picomatch as it is used for arguments of tools: `*` crosses `/`, dots are ordinary.
inline constexpr GlobStyle kPicomatchBash{.star_crosses_slash = true,
                                          .dot = true,
                                          .slash_in_groups = true,
                                          .empty_segments = true,
                                          .globstar_parent = true,
                                          .own_text = true};
/// minimatch with `matchBase`.
inline constexpr GlobStyle kMinimatchBase{
    .match_base = true, .comments = true, .expand_braces = true, .guard_everywhere = true, .any_trailing_slash = true};

/// Paths in rule files: what a guard looks for is found in hidden directories, too.
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
  /// Fails: LimitExceeded when the pattern is too long, too deep, or its braces stand for too much.
  static Result<Glob> compile(std::string_view pattern, const GlobStyle& style);

  /// An empty subject matches nothing.
  bool matches(std::string_view subject) const;
  /// Whether nothing but the last segment of a path without `.`, `..` and doubled slashes tells if it matches, as for
  /// `**/.env*` and `*.pem`. False also for what has no wildcard in that segment, and where that is hard to tell.
  bool is_about_base_name() const { return is_about_base_name_; }
  /// How many nodes its programs have together; at most `kMaxGlobNodes`.
  size_t size() const { return nodes_; }

 private:
  struct Alternative {
    GlobProgram program;
    std::string needed;  ///< is in every subject that matches; most that do not lack it
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
