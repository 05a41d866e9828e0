#include "match/ecma_regex.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "base/text.h"
#include "match/char_class.h"
#include "match/ecma_escape.h"

namespace grapnel::match {

// The translation keeps the structure of the pattern and rewrites each element on its own:
//
//   `.`            becomes a class without ECMAScript's line terminators
//   `\s`, `[^]`    become explicit classes
//   `\u0041`       becomes the character itself
//   `(?<n>…)`      becomes `(?P<n>…)`
//   `{` as text    becomes `\{`
//
// Everything that ECMAScript refuses is refused here, with the offset of the mistake, before an engine sees it.

namespace {

using Status = std::expected<void, RegexError>;

constexpr size_t kMaxGroupNesting = 200;
constexpr unsigned kMaxRepeat = 1000;  // the most that RE2 accepts
// What `.` matches in ECMAScript: everything except its four line terminators.
constexpr std::string_view kNoLineEnd = "[^\\n\\r\\x{2028}\\x{2029}]";

/// A counted quantifier. Without `high` it has no upper bound.
struct Repeat {
  unsigned low = 0;
  std::optional<unsigned> high;
  size_t length = 0;
};

/// The number at `i`, or nothing. A number that does not fit is reported as too large, not as missing.
std::optional<unsigned> take_digits(std::string_view s, size_t& i) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(s.data() + i, s.data() + s.size(), value);
  if (error == std::errc::invalid_argument) return std::nullopt;
  i = static_cast<size_t>(end - s.data());
  return error == std::errc{} ? value : kMaxRepeat + 1;
}

/// Reads `{n}`, `{n,}` or `{n,m}` at the start of `s`. Anything else in braces is plain text.
std::optional<Repeat> parse_repeat(std::string_view s) {
  size_t i = 1;
  const auto low = take_digits(s, i);
  if (!low) return std::nullopt;
  Repeat repeat{*low, low, 0};
  if (i < s.size() && s[i] == ',') repeat.high = take_digits(s, ++i);
  if (i >= s.size() || s[i] != '}') return std::nullopt;
  repeat.length = i + 1;
  return repeat;
}

/// One pass over the pattern that writes the translation as it reads. `step` handles one element: an escape, a class, a
/// group's bracket, a quantifier or a plain character. The only state besides the position is the stack of open groups,
/// whether the last element can be repeated, and whether `.` matches line ends here (flag `s`).
class Translator {
 public:
  explicit Translator(std::string_view text) : text_(text), groups_(survey_groups(text)) {}

  std::expected<EcmaTranslation, RegexError> run() {
    if (!text::is_valid_utf8(text_)) return std::unexpected(RegexError{RegexError::Kind::Syntax, 0, "not valid UTF-8"});
    while (pos_ < text_.size())
      if (auto status = step(); !status) return std::unexpected(status.error());
    if (!open_.empty()) return error("missing )", open_.back().at);
    return std::move(out_);
  }

 private:
  /// What the last element was. A quantifier may only follow an atom, so `a**` and `^*` are mistakes, as in ECMAScript.
  /// The engines would read them differently.
  enum class Last { Nothing, Atom, Quantifier };
  /// An open group. `dot_all` is the flag outside of it, which its end restores. Look-behind is not `repeatable`.
  struct Group {
    size_t at = 0;
    bool dot_all = false;
    bool repeatable = true;
  };

  char peek(size_t ahead = 0) const { return pos_ + ahead < text_.size() ? text_[pos_ + ahead] : '\0'; }
  bool at(std::string_view s) const { return text_.substr(pos_).starts_with(s); }
  void emit(std::string_view s) { out_.pattern += s; }

  std::unexpected<RegexError> error(std::string message, size_t offset) const {
    return std::unexpected(RegexError{RegexError::Kind::Syntax, offset, std::move(message)});
  }
  std::unexpected<RegexError> error(std::string message) const { return error(std::move(message), pos_); }
  std::unexpected<RegexError> too_large(std::string message) const {
    return std::unexpected(RegexError{RegexError::Kind::TooLarge, pos_, std::move(message)});
  }

  /// Writes `out` for the next `length` bytes of the pattern.
  Status take(std::string_view out, size_t length, Last last) {
    emit(out);
    pos_ += length;
    last_ = last;
    return {};
  }

  Status step() {
    switch (const char c = peek()) {
      case '\\':
        return take_escape();
      case '[':
        return take_class();
      case '(':
        return open_group();
      case ')':
        return close_group();
      case '|':
        return take("|", 1, Last::Nothing);
      case '^':
      case '$':
        return take(std::string_view(&c, 1), 1, Last::Nothing);
      case '.':
        return take(dot_all_ ? std::string_view("[\\x{0}-\\x{10FFFF}]") : kNoLineEnd, 1, Last::Atom);
      case '*':
      case '+':
      case '?':
        return take_quantifier(std::string_view(&c, 1), 1);
      case '{':
        return take_brace();
      default:
        break;
    }
    const Decoded d = decode_utf8(text_.substr(pos_));
    return take(quote_code_point(d.code), d.length, Last::Atom);
  }

  /// A `?` after a quantifier makes it lazy. It changes only where a match ends, but it must be read.
  Status take_quantifier(std::string_view text, size_t length) {
    if (last_ != Last::Atom) return error("nothing to repeat");
    if (auto status = take(text, length, Last::Quantifier); !status) return status;
    return peek() == '?' ? take("?", 1, Last::Quantifier) : Status{};
  }

  /// A brace that begins no quantifier stands for itself.
  Status take_brace() {
    const auto repeat = parse_repeat(text_.substr(pos_));
    if (!repeat) return take("\\{", 1, Last::Atom);
    if (repeat->high && *repeat->high < repeat->low) return error("numbers out of order in {} quantifier");
    if (std::max(repeat->low, repeat->high.value_or(0)) > kMaxRepeat) return too_large("more than 1000 repetitions");
    return take_quantifier(text_.substr(pos_, repeat->length), repeat->length);
  }

  Status take_escape() {
    const EcmaEscape escape = read_escape(text_.substr(pos_), groups_, false);
    if (escape.kind == EcmaEscape::Kind::Bad) return error(escape.text);
    if (escape.kind == EcmaEscape::Kind::BackReference) out_.needs_backtracking = true;
    return take(escape.text, escape.length, escape.kind == EcmaEscape::Kind::Assertion ? Last::Nothing : Last::Atom);
  }

  Status take_class() {
    const size_t open = pos_;
    auto set = translate_class(text_.substr(pos_), groups_);
    if (set.length == 0) return error(set.text, open + set.offset);
    return take(set.text, set.length, Last::Atom);
  }

  /// A plain `(` captures; the result needs no captures, but back-references count them.
  Status open_group() {
    if (open_.size() >= kMaxGroupNesting) return too_large("groups are nested too deeply");
    Group group{pos_, dot_all_, true};
    if (at("(?")) return open_special(group);
    open_.push_back(group);
    return take("(", 1, Last::Nothing);
  }

  /// Groups that begin with `(?`. Look-around needs an engine that backtracks.
  Status open_special(Group group) {
    for (const std::string_view look : {"(?=", "(?!", "(?<=", "(?<!"}) {
      if (!at(look)) continue;
      out_.needs_backtracking = true;
      group.repeatable = look[2] != '<';
      open_.push_back(group);
      return take(look, look.size(), Last::Nothing);
    }
    if (at("(?<") || at("(?P<")) return open_named(group);
    return open_flagged(group);
  }

  /// Both spellings become `(?P<name>`, which both engines know.
  Status open_named(const Group& group) {
    const size_t name = text_.find('<', pos_) + 1;
    const size_t end = text_.find('>', name);
    if (end == std::string_view::npos || !is_group_name(text_.substr(name, end - name)))
      return error("invalid capture group name");
    if (std::ranges::count(groups_.names, text_.substr(name, end - name)) > 1)
      return error("duplicate capture group name");
    open_.push_back(group);
    return take("(?P<" + std::string(text_.substr(name, end - name)) + ">", end + 1 - pos_, Last::Nothing);
  }

  /// Reads `(?:`, `(?i:` or `(?i)`. The last form applies until the end of the group around it.
  Status open_flagged(const Group& group) {
    const size_t end = text_.find_first_not_of("ims-", pos_ + 2);
    const char closer = end == std::string_view::npos ? '\0' : text_[end];
    const std::string_view flags = text_.substr(pos_ + 2, end - pos_ - 2);
    const bool useless = closer == ')' && flags.empty();
    if ((closer != ':' && closer != ')') || useless || std::ranges::count(flags, '-') > 1 || flags.ends_with('-'))
      return error("invalid group");
    const size_t s = flags.find('s');
    if (s != std::string_view::npos) dot_all_ = s < flags.find('-');
    if (closer == ':') open_.push_back(group);
    return take(text_.substr(pos_, end + 1 - pos_), end + 1 - pos_, Last::Nothing);
  }

  Status close_group() {
    if (open_.empty()) return error("unmatched )");
    const Group group = open_.back();
    open_.pop_back();
    dot_all_ = group.dot_all;
    return take(")", 1, group.repeatable ? Last::Atom : Last::Nothing);
  }

  std::string_view text_;
  GroupSurvey groups_;
  size_t pos_ = 0;
  Last last_ = Last::Nothing;
  bool dot_all_ = false;
  std::vector<Group> open_;
  EcmaTranslation out_;
};

}  // namespace

std::expected<EcmaTranslation, RegexError> translate_ecma(std::string_view pattern) {
  return Translator(pattern).run();
}

}  // namespace grapnel::match
