#include "convert/pattern_text.h"

#include <algorithm>

#include "base/text.h"
#include "match/regex_walk.h"

namespace grapnel {

namespace {

// How each syntax reads a text is known only to `Matcher`, and this file does not repeat these rules. Instead, it makes
// a candidate, compiles it, and asks the matcher whether it means the right thing. If not, the next candidate is tried.

using Kind = PatternText::Kind;

constexpr std::string_view kSpecial = "\\^$.*+?()[]{}|";
constexpr std::string_view kAnyText = "[\\s\\S]*";

/// Calls `visit` for each byte of a regex that is neither escaped nor in a character class, with the depth of its
/// group.
template <typename Visit>
void walk(std::string_view regex, Visit visit) {
  size_t depth = 0;
  match::walk_regex(regex, [&](size_t at, char c) {
    if (c == ')' && depth > 0) --depth;
    visit(at, c, depth);
    if (c == '(') ++depth;
  });
}

std::string joined(const std::vector<std::string>& parts) {
  return text::join(parts, "|");
}

/// The pattern as a regex that may match anywhere: names and whole matches get anchors.
std::string as_search(const PatternText& pattern) {
  if (pattern.kind == Kind::Name) return "^" + escape_regex(pattern.text) + "$";
  return pattern.kind == Kind::Search ? pattern.text : "^(?:" + pattern.text + ")$";
}

/// The pattern as a regex that must match everything. Anchors become superfluous; a search gets `[\s\S]*` on both
/// sides.
std::string as_whole(const PatternText& pattern) {
  if (pattern.kind == Kind::Name) return escape_regex(pattern.text);
  if (pattern.kind == Kind::Whole) return pattern.text;
  for (const std::string_view open : {"^(?:", "^("}) {
    const auto inner = peel(pattern.text, open, ")$");
    if (inner && !inner->starts_with('?')) return std::string(*inner);
  }
  return std::string(kAnyText) + "(?:" + pattern.text + ")" + std::string(kAnyText);
}

/// The names among the alternatives, sorted and without duplicates, as `Matcher::exact_names` returns them.
std::vector<std::string> names_of(const std::vector<PatternText>& any_of) {
  std::vector<std::string> names;
  for (const PatternText& pattern : any_of) {
    if (pattern.kind == Kind::Name) names.push_back(pattern.text);
  }
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
  return names;
}

/// Whether the text, compiled in that syntax, is a list of exactly these names.
bool reads_as_names(const std::string& text, MatchSyntax syntax, const std::vector<std::string>& names) {
  const auto matcher = Matcher::compile(text, syntax);
  return matcher && matcher->exact_names() == names;
}

/// Whether the text, compiled in that syntax, matches the names but not with another character in front or behind.
bool matches_names(const std::string& text, MatchSyntax syntax, const std::vector<std::string>& names) {
  const auto matcher = Matcher::compile(text, syntax);
  return matcher && std::ranges::all_of(names, [&](const std::string& name) {
           return matcher->matches(name) && !matcher->matches(name + "x") && !matcher->matches("x" + name);
         });
}

/// Whether the text, compiled in that syntax, is a regex.
bool reads_as_regex(const std::string& text, MatchSyntax syntax) {
  const auto matcher = Matcher::compile(text, syntax);
  return matcher && !matcher->exact_names() && !matcher->matches_everything();
}

/// Tries a plain list first, because it is the most readable, then an anchored regex, then a bare one.
std::optional<std::string> write_names(const std::vector<PatternText>& any_of, MatchSyntax syntax) {
  const auto names = names_of(any_of);
  std::vector<std::string> in_order;
  std::vector<std::string> escaped;
  for (const PatternText& pattern : any_of) {
    in_order.push_back(pattern.text);
    escaped.push_back(escape_regex(pattern.text));
  }
  const std::string list = joined(in_order);
  const std::string regex = escaped.size() == 1 ? escaped.front() : "(" + joined(escaped) + ")";
  if (reads_as_names(list, syntax, names)) return list;
  for (const std::string& text : {"^" + regex + "$", joined(escaped)}) {
    if (reads_as_names(text, syntax, names) || matches_names(text, syntax, names)) return text;
  }
  return std::nullopt;
}

/// Syntaxes in which a regex may match anywhere.
bool is_search_syntax(MatchSyntax syntax) {
  switch (syntax) {
    case MatchSyntax::NamesOrSearch:
    case MatchSyntax::ListOrSearch:
    case MatchSyntax::WordsOrSearch:
    case MatchSyntax::SearchRegex:
    case MatchSyntax::StrictRegex:
      return true;
    default:
      return false;
  }
}

/// All searches are joined into one part, so that they need only one pair of `[\s\S]*`.
std::optional<std::string> write_regex(const std::vector<PatternText>& any_of, MatchSyntax syntax) {
  const bool is_whole = syntax == MatchSyntax::NamesOrRegex;
  if (!is_whole && !is_search_syntax(syntax)) return std::nullopt;
  std::vector<std::string> parts;
  std::vector<std::string> searches;
  for (const PatternText& pattern : any_of) {
    const bool is_search = pattern.kind == Kind::Search;
    if (is_search) searches.push_back(pattern.text);
    if (!is_search) parts.push_back(is_whole ? as_whole(pattern) : as_search(pattern));
  }
  const PatternText search{Kind::Search, joined(searches)};
  if (!searches.empty()) parts.push_back(is_whole ? as_whole(search) : search.text);
  const std::string text = joined(parts);
  for (const std::string& candidate : {text, "(?:" + text + ")"}) {
    if (text::trim(candidate) == candidate && reads_as_regex(candidate, syntax)) return candidate;
  }
  return std::nullopt;
}

/// A glob with a slash is compared with the whole path in both syntaxes. Without a slash, `matchBase` compares it with
/// the last name only, which is `**/name` in the other syntax.
std::optional<std::string> write_glob(const PatternText& glob, MatchSyntax syntax) {
  if (glob.syntax == syntax) return glob.text;
  const bool is_base_name = !glob.text.contains('/');
  if (glob.syntax == MatchSyntax::GlobMatchBase && syntax == MatchSyntax::Glob) {
    return is_base_name ? "**/" + glob.text : glob.text;
  }
  const bool is_sayable = !is_base_name && !glob.text.contains('|');
  if (glob.syntax != MatchSyntax::Glob || syntax != MatchSyntax::GlobMatchBase || !is_sayable) return std::nullopt;
  const std::string rest = glob.text.substr(std::min<size_t>(3, glob.text.size()));
  const bool is_any_depth = glob.text.starts_with("**/") && !rest.contains('/') && rest != "**";
  return is_any_depth ? rest : glob.text;
}

/// The reverse of `as_whole`. White space around alternatives has no meaning in this syntax.
PatternText read_whole(std::string_view text) {
  std::vector<std::string> parts;
  for (const std::string_view part : split_alternatives(text)) parts.emplace_back(text::trim(part));
  const std::string regex = joined(parts);
  const std::string open = std::string(kAnyText) + "(?:";
  const std::string close = ")" + std::string(kAnyText);
  const auto inner = peel(regex, open, close);
  return inner ? PatternText{Kind::Search, std::string(*inner)} : PatternText{Kind::Whole, regex};
}

/// Removes groups around the whole regex, which `write_regex` may have added.
PatternText read_search(std::string_view text) {
  text = text::trim(text);
  while (const auto inner = peel(text, "(?:", ")")) text = *inner;
  return {Kind::Search, std::string(text)};
}

bool is_glob_syntax(MatchSyntax syntax) {
  return syntax == MatchSyntax::Glob || syntax == MatchSyntax::GlobBash || syntax == MatchSyntax::GlobMatchBase;
}

}  // namespace

std::string escape_regex(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (kSpecial.contains(c)) out += '\\';
    out += c;
  }
  return out;
}

bool is_plain_word(std::string_view regex) {
  return !regex.empty() && regex.find_first_of(kSpecial) == std::string_view::npos;
}

std::vector<std::string_view> split_alternatives(std::string_view regex) {
  std::vector<std::string_view> out;
  size_t from = 0;
  walk(regex, [&](size_t at, char c, size_t depth) {
    if (c != '|' || depth > 0) return;
    out.push_back(regex.substr(from, at - from));
    from = at + 1;
  });
  out.push_back(regex.substr(from));
  return out;
}

std::optional<std::string_view> peel(std::string_view regex, std::string_view prefix, std::string_view suffix) {
  const bool fits =
      regex.size() >= prefix.size() + suffix.size() && regex.starts_with(prefix) && regex.ends_with(suffix);
  if (!fits) return std::nullopt;
  const size_t open = prefix.rfind('(');
  const size_t close = regex.size() - suffix.size() + suffix.find(')');
  const std::string_view before = prefix.substr(0, open);
  size_t closes_at = std::string_view::npos;
  walk(regex.substr(before.size()), [&](size_t at, char c, size_t depth) {
    if (c == ')' && depth == 0 && closes_at == std::string_view::npos) closes_at = at + before.size();
  });
  if (closes_at != close) return std::nullopt;
  return regex.substr(prefix.size(), regex.size() - prefix.size() - suffix.size());
}

std::vector<PatternText> pattern_texts(const Matcher& matcher) {
  std::vector<PatternText> out;
  if (matcher.matches_everything()) return out;
  const MatchSyntax syntax = matcher.syntax();
  const std::string text(matcher.pattern());
  if (is_glob_syntax(syntax)) {
    const bool has_alternatives = syntax == MatchSyntax::GlobMatchBase;
    for (const std::string_view one : text::split(text, has_alternatives ? '|' : '\0')) {
      if (!text::trim(one).empty()) {
        out.push_back({Kind::Glob, std::string(has_alternatives ? text::trim(one) : one), syntax});
      }
    }
  } else if (const auto names = matcher.exact_names()) {
    for (const std::string& name : *names) out.push_back({Kind::Name, name});
  } else if (syntax == MatchSyntax::Command) {
    out.push_back({Kind::Command, text, syntax});
  } else {
    out.push_back(syntax == MatchSyntax::NamesOrRegex ? read_whole(text) : read_search(text));
  }
  return out;
}

std::optional<std::string> write_patterns(const std::vector<PatternText>& any_of, MatchSyntax syntax) {
  const auto is_kind = [&](Kind kind) {
    return std::ranges::all_of(any_of, [&](const auto& p) { return p.kind == kind; });
  };
  if (any_of.empty()) return std::nullopt;
  if (is_kind(Kind::Name)) return write_names(any_of, syntax);
  const bool is_single = any_of.size() == 1;
  if (is_kind(Kind::Glob)) {
    return is_single && is_glob_syntax(syntax) ? write_glob(any_of.front(), syntax) : std::nullopt;
  }
  const bool is_regex =
      std::ranges::none_of(any_of, [](const auto& p) { return p.kind == Kind::Glob || p.kind == Kind::Command; });
  return is_regex ? write_regex(any_of, syntax) : std::nullopt;
}

}  // namespace grapnel
