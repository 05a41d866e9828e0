#include "match/glob_parse.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <utility>

#include "base/error.h"
#include "match/brace.h"
#include "match/glob.h"

namespace grapnel::match {

namespace {

constexpr int kMaxGlobDepth = 32;
constexpr size_t kMaxSequence = 1024;

/// Reads one branch: the whole pattern, or the text between two separators of a group. Groups are read by a parser of
/// their own, one level deeper.
///
/// Every `take_…` function either takes its construct and returns true, or returns false and leaves the position alone;
/// the character is then plain text. An error ends the parse: `give_up` notes it and returns true, so that nobody tries
/// another reading.
class BranchParser {
 public:
  BranchParser(std::string_view text, const GlobStyle& style, int depth) : text_(text), style_(style), depth_(depth) {}

  Result<TokenList> parse() {
    if (depth_ > kMaxGlobDepth) return fail(Errc::LimitExceeded, "groups are nested too deeply");
    while (pos_ < text_.size() && !error_) step();
    if (error_) return std::unexpected(std::move(*error_));
    return std::move(tokens_);
  }

 private:
  char peek(size_t ahead = 0) const { return pos_ + ahead < text_.size() ? text_[pos_ + ahead] : '\0'; }

  void step() {
    const char c = peek();
    if (c == '\\' && pos_ + 1 < text_.size()) {
      ++pos_;
      push_byte();
    } else if (c == '/') {
      push({.kind = TokenKind::Slash}, 1);
    } else if (!take_group(c) && !take_wildcard(c)) {
      push_byte();
    }
  }

  /// Braces are groups only in styles that do not expand them; bare parentheses only in picomatch.
  bool take_group(char c) {
    if (c == '{') return !style_.expand_braces && take_braces();
    if (c == '(') return style_.slash_in_groups && take_parens(0, GroupKind::One);
    if (peek(1) != '(') return false;
    switch (c) {
      case '@':
        return take_parens(1, GroupKind::One);
      case '?':
        return take_parens(1, GroupKind::Optional);
      case '*':
        return take_parens(1, GroupKind::Many);
      case '+':
        return take_parens(1, GroupKind::Some);
      case '!':
        return take_parens(1, GroupKind::Not);
      default:
        return false;
    }
  }

  bool take_wildcard(char c) {
    if (c == '*') return take_stars();
    if (c == '?') return push({.kind = TokenKind::AnyChar}, 1);
    return c == '[' && take_class();
  }

  /// A group with `|` between its branches. In minimatch a group never spans segments.
  bool take_parens(size_t ahead, GroupKind kind) {
    GroupSpan span;
    const size_t open = pos_ + ahead;
    if (!find_group(text_, open, span)) return false;
    if (!style_.slash_in_groups && text_.substr(open, span.close - open).contains('/')) return false;
    return push_group(span.branches(text_, open), kind, span.close + 1);
  }

  /// `{a,b}` is a group; `{1..3}` is a group of the numbers. Other braces are plain text.
  bool take_braces() {
    GroupSpan span;
    if (!find_group(text_, pos_, span)) return false;
    const size_t end = span.close + 1;
    if (!span.separators.empty()) return push_group(span.branches(text_, pos_), GroupKind::One, end);
    auto members = expand_sequence(text_.substr(pos_ + 1, span.close - pos_ - 1), kMaxSequence);
    if (!members) return give_up(members.error());
    if (members->empty()) return false;
    return push_group({members->begin(), members->end()}, GroupKind::One, end);
  }

  bool push_group(const std::vector<std::string_view>& branches, GroupKind kind, size_t end) {
    Token group{.kind = TokenKind::Group, .group = kind};
    for (const std::string_view branch : branches) {
      auto tokens = BranchParser(branch, style_, depth_ + 1).parse();
      if (!tokens) return give_up(tokens.error());
      group.branches.push_back(std::move(*tokens));
    }
    return push(std::move(group), end - pos_);
  }

  /// One star, or many, are a `Star`; exactly two can be a globstar.
  bool take_stars() {
    size_t count = 1;
    while (peek(count) == '*') ++count;
    if (count > 1 && peek(count) == '(') --count;  // the last star opens a group
    if (count != 2 || !can_be_globstar(pos_ + count)) return push({.kind = TokenKind::Star}, count);
    drop_previous_globstar();
    return push({.kind = TokenKind::Globstar}, count);
  }

  /// Whether a `**` that ends at `end` fills a whole segment. Otherwise it is only a `*`.
  bool can_be_globstar(size_t end) const {
    const bool branch_edge = depth_ == 0 || style_.slash_in_groups;
    if (!(tokens_.empty() ? branch_edge : tokens_.back().kind == TokenKind::Slash)) return false;
    const std::string_view rest = text_.substr(end);
    if (rest.empty()) return branch_edge;
    return rest.starts_with('/') ||
           (style_.slash_in_groups && (rest.starts_with('{') || rest.starts_with("@(") || is_extension(rest)));
  }

  /// Users who write `**.ts` at the start of a pattern mean `**/*.ts`, and picomatch reads it so.
  bool is_extension(std::string_view s) const {
    const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; };
    return depth_ == 0 && tokens_.empty() && s[0] == '.' && std::ranges::all_of(s, is_word);
  }

  void drop_previous_globstar() {  // `**/**` is `**`
    const size_t n = tokens_.size();
    if (n >= 2 && tokens_[n - 1].kind == TokenKind::Slash && tokens_[n - 2].kind == TokenKind::Globstar)
      tokens_.resize(n - 2);
  }

  /// A class with a single member is only that character, which makes the glob's required text longer.
  bool take_class() {
    auto parsed = parse_class(text_.substr(pos_));
    if (!parsed) return false;
    const std::string_view source = text_.substr(pos_, parsed->length);
    if (!style_.slash_in_groups && source.contains('/')) return false;
    // The class has only plain characters between its brackets, so it may also be a file name.
    if (style_.own_text && source.find_first_of("-*+?.^${}(|)[]!\\", 1) == source.size() - 1) {
      return push_class_or_text(std::move(*parsed), source);
    }
    if (const auto only = parsed->set.single()) {
      return push({.kind = TokenKind::Byte, .byte = *only}, parsed->length);
    }
    return push({.kind = TokenKind::Class, .set = std::move(parsed->set)}, parsed->length);
  }

  /// Some frameworks have files called `pages/[id].tsx`, so plain brackets match as a class and as themselves.
  bool push_class_or_text(ParsedClass parsed, std::string_view source) {
    Token group{.kind = TokenKind::Group, .group = GroupKind::One};
    group.branches.resize(2);
    group.branches[0].push_back({.kind = TokenKind::Class, .set = std::move(parsed.set)});
    for (const char c : source) group.branches[1].push_back({.kind = TokenKind::Byte, .byte = c});
    return push(std::move(group), parsed.length);
  }

  void push_byte() { push({.kind = TokenKind::Byte, .byte = peek()}, 1); }

  /// Appends a token, with the facts about its neighbour that decide about leading dots.
  bool push(Token token, size_t length) {
    token.at_start = tokens_.empty() ? depth_ == 0 : tokens_.back().kind == TokenKind::Slash;
    token.after_dot = !tokens_.empty() && tokens_.back().kind == TokenKind::Byte && tokens_.back().byte == '.';
    tokens_.push_back(std::move(token));
    pos_ += length;
    return true;
  }

  bool give_up(const Error& error) {
    error_ = error;
    return true;
  }

  std::string_view text_;
  const GlobStyle& style_;
  int depth_;
  size_t pos_ = 0;
  TokenList tokens_;
  std::optional<Error> error_;
};

}  // namespace

Result<TokenList> parse_glob(std::string_view pattern, const GlobStyle& style) {
  return BranchParser(pattern, style, 0).parse();
}

}  // namespace grapnel::match
