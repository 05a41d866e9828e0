#include "match/glob.h"

#include <algorithm>
#include <iterator>

#include "base/error.h"
#include "base/text.h"
#include "match/brace.h"
#include "match/glob_parse.h"

namespace grapnel::match {

namespace {

constexpr size_t kMaxGlob = 4096;
constexpr size_t kMaxExpansions = 1024;

/// Removes leading `!`s; true if their number is odd. In picomatch `!(` opens a group instead.
bool take_negation(std::string_view& pattern, const GlobStyle& style) {
  bool negated = false;
  while (pattern.starts_with('!') && !(style.slash_in_groups && pattern.starts_with("!("))) {
    negated = !negated;
    pattern.remove_prefix(1);
  }
  return negated;
}

/// The patterns that remain after braces are expanded: only one in styles that treat braces as groups.
Result<std::vector<std::string>> expand(std::string_view pattern, const GlobStyle& style) {
  if (style.expand_braces) return expand_braces(pattern, kMaxExpansions);
  return std::vector<std::string>{std::string(pattern)};
}

/// Replaces runs of slashes by one.
std::string squeeze(std::string_view s) {
  std::string out;
  std::ranges::unique_copy(s, std::back_inserter(out), [](char a, char b) { return a == '/' && b == '/'; });
  return out;
}

/// Turns `a/b/../c` into `a/c`, as minimatch does. Only plain segments can be removed: `**/..` stays.
std::string resolve_parents(std::string_view pattern) {
  std::vector<std::string> kept;
  for (const std::string_view part : text::split(pattern, '/')) {
    const bool plain =
        !kept.empty() && !kept.back().empty() && kept.back() != "." && kept.back() != ".." && kept.back() != "**";
    if (part == ".." && plain) {
      kept.pop_back();
    } else {
      kept.emplace_back(part);
    }
  }
  return text::join(kept, "/");
}

/// The last segment; slashes at the end do not count.
std::string_view base_name(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return path.substr(path.rfind('/') + 1);
}

/// Whether the pattern has no `/`. With `match_base`, such a pattern is compared with base names.
bool is_one_segment(const TokenList& tokens) {
  return std::ranges::none_of(tokens, [](const Token& token) { return token.kind == TokenKind::Slash; });
}

/// The longest run of plain characters outside of groups. Every subject that matches must contain it.
std::string needed_text(const TokenList& tokens) {
  std::string run, longest;
  for (const Token& token : tokens) {
    if (token.kind == TokenKind::Byte) {
      run += token.byte;
      if (run.size() > longest.size()) longest = run;
    } else {
      run.clear();
    }
  }
  return longest;
}

}  // namespace

Result<Glob> Glob::compile(std::string_view pattern, const GlobStyle& style) {
  if (pattern.size() > kMaxGlob) return fail(Errc::LimitExceeded, "the glob is longer than 4096 bytes");
  Glob glob;
  if (style.comments && pattern.starts_with('#')) return glob;
  if (style.own_text) glob.own_text_ = pattern;
  glob.squeeze_slashes_ = style.any_trailing_slash;
  glob.negated_ = take_negation(pattern, style);
  // picomatch ignores a leading `./`.
  if (style.own_text && pattern.starts_with("./")) pattern.remove_prefix(2);
  bool is_about_base_name = !glob.negated_;
  auto expansions = expand(pattern, style);
  if (!expansions) return std::unexpected(expansions.error());
  for (std::string& expansion : *expansions) {
    if (style.any_trailing_slash) expansion = resolve_parents(squeeze(expansion));
    auto tokens = parse_glob(expansion, style);
    if (!tokens) return std::unexpected(tokens.error());
    auto program = GlobProgram::compile(*tokens, style);
    if (!program) return std::unexpected(program.error());
    const bool is_one_of_name = tells_base_name(*tokens, style);
    is_about_base_name = is_about_base_name && is_one_of_name;
    glob.nodes_ += program->size();
    if (glob.nodes_ > kMaxGlobNodes) return fail(Errc::LimitExceeded, "the glob is too large");
    glob.alternatives_.push_back({std::move(*program), needed_text(*tokens),
                                  style.match_base && is_one_segment(*tokens),
                                  is_one_of_name ? BaseNamePattern::of(*tokens) : std::nullopt});
  }
  // With `own_text`, the pattern's own text matches, too. If the programs would not match it, then the base name alone
  // does not decide.
  const bool fits_itself = glob.own_text_.empty() || glob.matches_any(glob.own_text_);
  glob.is_about_base_name_ = is_about_base_name && fits_itself;
  return glob;
}

bool Glob::matches(std::string_view subject) const {
  if (subject.empty()) return false;
  if (!own_text_.empty() && subject == own_text_) return true;
  if (squeeze_slashes_ && subject.contains("//")) return matches_any(squeeze(subject)) != negated_;
  return matches_any(subject) != negated_;
}

/// Cheap tests first: the text that must be there, then the base name. Only then does the program run.
bool Glob::matches_any(std::string_view subject) const {
  return std::ranges::any_of(alternatives_, [&](const Alternative& alternative) {
    const std::string_view compared = alternative.base_only ? base_name(subject) : subject;
    if (!compared.contains(alternative.needed)) return false;
    return (alternative.base_name && alternative.base_name->fits(compared)) || alternative.program.matches(compared);
  });
}

}  // namespace grapnel::match
