#include "match/compiled_pattern.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/text.h"

namespace grapnel::match {

namespace {

MatchOutcome to_outcome(bool yes) {
  return yes ? MatchOutcome::Yes : MatchOutcome::No;
}

/// Compares the subject with each form. Only regexes and commands can answer `Limit`.
struct Apply {
  std::string_view subject;

  MatchOutcome operator()(const Any&) const { return MatchOutcome::Yes; }
  MatchOutcome operator()(const OneOf& rule) const { return to_outcome(rule.names.contains(subject)); }
  MatchOutcome operator()(const Substrings& rule) const {
    return to_outcome(std::ranges::any_of(rule.needles, [&](const auto& needle) { return subject.contains(needle); }));
  }
  MatchOutcome operator()(const Globs& rule) const {
    return to_outcome(std::ranges::any_of(rule.any_of, [&](const Glob& glob) { return glob.matches(subject); }));
  }
  MatchOutcome operator()(const Commands&) const { return MatchOutcome::Limit; }
  MatchOutcome operator()(const Pattern& rule) const {
    return rule.names.contains(subject) ? MatchOutcome::Yes : rule.regex.match(subject);
  }
};

/// The parts of a list, trimmed.
std::vector<std::string> split_names(std::string_view pattern, std::string_view separators) {
  std::vector<std::string> names;
  for (size_t from = 0; from <= pattern.size();) {
    const size_t end = std::min(pattern.find_first_of(separators, from), pattern.size());
    names.emplace_back(text::trim(pattern.substr(from, end - from)));
    from = end + 1;
  }
  return names;
}

/// The alternatives of a regex. White space is significant there, so nothing is trimmed.
std::vector<std::string> split_raw(std::string_view pattern) {
  const auto parts = text::split(pattern, '|');
  return {parts.begin(), parts.end()};
}

/// Whether a regex has no special character at all, or (below) none except `|`.
bool is_plain(std::string_view regex) {
  return regex.find_first_of("\\^$.*+?()[]{}|") == std::string_view::npos;
}
bool is_plain_list(std::string_view regex) {
  return regex.find_first_of("\\^$.*+?()[]{}") == std::string_view::npos;
}

/// The inside of `^A$`, `^(A|B)$` and `^(?:A|B)$`, which are lists of names in disguise. Nothing for other regexes.
/// Note that `^A|B$` is not such a list: its anchors belong to one alternative each.
std::optional<std::string_view> strip_anchors(std::string_view regex) {
  if (regex.size() < 2 || !regex.starts_with('^') || !regex.ends_with('$')) return std::nullopt;
  regex = regex.substr(1, regex.size() - 2);
  if (!regex.starts_with('(') || !regex.ends_with(')')) return is_plain(regex) ? std::optional(regex) : std::nullopt;
  regex = regex.substr(1, regex.size() - 2);
  if (regex.starts_with("?:")) regex.remove_prefix(2);
  return is_plain_list(regex) ? std::optional(regex) : std::nullopt;
}

Error to_error(const RegexError& error) {
  const Errc code = error.kind == RegexError::Kind::TooLarge ? Errc::LimitExceeded : Errc::InvalidPattern;
  std::string message = error.kind == RegexError::Kind::Unsupported ? "regex not supported: " : "bad regex: ";
  message += error.message;
  if (error.offset) message += " at byte " + std::to_string(*error.offset);
  return {code, std::move(message), std::nullopt, 0};
}

/// Whether the dialect takes a bad regex literally or refuses it.
enum class OnBad : uint8_t { Literal, Refuse };
/// How a regex is compiled: what to do with a bad one, and when to build the engine.
struct Reading {
  OnBad on_bad;
  Engines engines;
};

CompiledPattern one_of(std::vector<std::string> names) {
  return {OneOf{Names(std::move(names))}};
}
CompiledPattern one_of(std::string_view name) {
  return one_of(std::vector{std::string(name)});
}

/// Compiles a regex, or does with a bad one what the dialect does. `names` match in addition to it.
Result<CompiledPattern> compile_regex(std::string_view pattern, Regex::Anchor anchor, const Reading& how,
                                      Names names = Names()) {
  if (how.engines == Engines::WhenNeeded) {
    return CompiledPattern{Pattern{Regex::known(pattern, anchor), std::move(names)}};
  }
  auto regex = Regex::compile(pattern, anchor);
  if (regex) return CompiledPattern{Pattern{std::move(*regex), std::move(names)}};
  // Only a regex that the agent itself would refuse may be taken literally. One that the agent would accept but Grapnel
  // cannot run must be reported: taken literally, the guard would silently never match.
  if (regex.error().kind != RegexError::Kind::Syntax || how.on_bad == OnBad::Refuse)
    return std::unexpected(to_error(regex.error()));
  auto all = names.all();
  all.emplace_back(pattern);
  CompiledPattern literal = one_of(std::move(all));
  literal.literal = true;
  return literal;
}

/// An unanchored regex. Most are plain words or anchored lists of names; these need no engine.
Result<CompiledPattern> compile_search(std::string_view pattern, const Reading& how) {
  if (is_plain_list(pattern)) {
    auto needles = split_raw(pattern);
    // An empty alternative matches every subject.
    if (std::ranges::any_of(needles, &std::string::empty)) return CompiledPattern{Any{}};
    return CompiledPattern{Substrings{std::move(needles)}};
  }
  if (pattern == ".*") return CompiledPattern{Any{}};
  if (const auto list = strip_anchors(pattern)) return one_of(split_raw(*list));
  return compile_regex(pattern, Regex::Anchor::Search, how);
}

/// Clawd's way: the parts between `|` are names, whatever they contain, and the whole pattern is a regex as well.
Result<CompiledPattern> compile_names_or_regex(std::string_view pattern, Engines engines) {
  auto names = split_names(pattern, "|");
  if (!is_plain_list(pattern))
    return compile_regex(pattern, Regex::Anchor::Whole, {OnBad::Literal, engines}, Names(std::move(names)));
  for (std::string& raw : split_raw(pattern)) names.push_back(std::move(raw));
  return one_of(std::move(names));
}

/// Blade's way: a pattern with `|` is always a list of names, even if its parts look like regexes.
Result<CompiledPattern> compile_names_or_search(std::string_view pattern, Engines engines) {
  if (pattern == "*") return CompiledPattern{Any{}};
  if (is_plain(pattern)) return one_of(pattern);
  if (pattern.contains('|')) return one_of(split_names(pattern, "|"));
  return compile_search(pattern, {OnBad::Literal, engines});
}

/// The way of Claude and Codex: a list of names if it contains only letters, digits and the characters in `also`;
/// otherwise a regex.
Result<CompiledPattern> compile_list_or_search(std::string_view pattern, std::string_view also,
                                               std::string_view separators, Engines engines) {
  if (pattern == "*") return CompiledPattern{Any{}};
  const bool list = std::ranges::all_of(pattern, [&](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || also.contains(c);
  });
  return list ? one_of(split_names(pattern, separators)) : compile_search(pattern, {OnBad::Refuse, engines});
}

/// Several globs of which one must match. Their sizes are added up, so that many small globs cannot pass the limit.
Result<CompiledPattern> compile_globs(const std::vector<std::string>& patterns, const GlobStyle& style) {
  Globs globs;
  size_t size = 0;
  for (const std::string& pattern : patterns) {
    if (pattern.empty()) continue;
    auto glob = Glob::compile(pattern, style);
    if (!glob) return std::unexpected(glob.error());
    size += glob->size();
    if (size > kMaxGlobNodes) return fail(Errc::LimitExceeded, "the globs are too large");
    globs.any_of.push_back(std::move(*glob));
  }
  return CompiledPattern{std::move(globs)};
}

/// A glob without any special character matches only itself, so it becomes a name. A leading `./` is optional.
Result<CompiledPattern> compile_picomatch(std::string_view pattern, const GlobStyle& style) {
  if (pattern.starts_with('!') || pattern.find_first_of("\\*?[](){}") != std::string_view::npos)
    return compile_globs({std::string(pattern)}, style);
  std::vector names = {std::string(pattern)};
  if (pattern.size() > 2 && pattern.starts_with("./")) names.emplace_back(pattern.substr(2));
  return one_of(std::move(names));
}

}  // namespace

Names::Names(std::vector<std::string> names) : all_(std::move(names)) {
  std::ranges::sort(all_);
  const auto rest = std::ranges::unique(all_);
  all_.erase(rest.begin(), rest.end());
}

bool Names::contains(std::string_view name) const {
  return std::binary_search(all_.begin(), all_.end(), name, std::less<std::string_view>{});
}

/// The rules that all syntaxes share come first: an empty pattern matches everything, except in `Exact`.
Result<CompiledPattern> compile_pattern(std::string_view pattern, MatchSyntax syntax, Engines engines) {
  if (syntax == MatchSyntax::Exact) return one_of(pattern);
  const bool trims = syntax == MatchSyntax::SearchRegex || syntax == MatchSyntax::ExactOrAny;
  if (trims) pattern = text::trim(pattern);
  if (pattern.empty() || (trims && pattern == "*")) return CompiledPattern{Any{}};
  switch (syntax) {
    case MatchSyntax::NamesOrRegex:
      return compile_names_or_regex(pattern, engines);
    case MatchSyntax::NamesOrSearch:
      return compile_names_or_search(pattern, engines);
    case MatchSyntax::ListOrSearch:
      return compile_list_or_search(pattern, "_- ,|", "|,", engines);
    case MatchSyntax::WordsOrSearch:
      return compile_list_or_search(pattern, "_|", "|", engines);
    case MatchSyntax::SearchRegex:
      return compile_search(pattern, {OnBad::Literal, engines});
    case MatchSyntax::StrictRegex:
      return compile_search(pattern, {OnBad::Refuse, engines});
    case MatchSyntax::Glob:
      return compile_picomatch(pattern, kPicomatch);
    case MatchSyntax::GlobBash:
      return compile_picomatch(pattern, kPicomatchBash);
    case MatchSyntax::GlobMatchBase:
      return compile_globs(split_names(pattern, "|"), kMinimatchBase);
    case MatchSyntax::GlobPath:
      return compile_globs({std::string(pattern)}, kRulePath);
    case MatchSyntax::Command:
      return CompiledPattern{Commands{}};
    case MatchSyntax::Exact:
    case MatchSyntax::ExactOrAny:
      break;
  }
  return one_of(pattern);
}

MatchOutcome apply_pattern(const Form& form, std::string_view subject) {
  return std::visit(Apply{subject}, form);
}

}  // namespace grapnel::match
