#include "match/brace.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>

#include "base/error.h"

namespace grapnel::match {

// Braces as in Bash. `a{b,c{d,e}}` stands for `ab`, `acd` and `ace`; `{1..3}` for `1`, `2` and `3`; `{01..10}` pads to
// the same width; `{a..e..2}` takes every second letter. Braces with neither a comma nor a sequence, such as `{x}`, are
// plain text.

namespace {

constexpr int kMaxNesting = 32;

/// The number that is all of `s`. Large numbers are refused, so that later arithmetic cannot overflow.
std::optional<long> parse_number(std::string_view s) {
  long value = 0;
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value);
  const bool whole = error == std::errc{} && end == s.data() + s.size();
  return whole && std::abs(value) < 1'000'000'000 ? std::optional(value) : std::nullopt;
}

bool is_letter(std::string_view s) {
  return s.size() == 1 && ((s[0] >= 'a' && s[0] <= 'z') || (s[0] >= 'A' && s[0] <= 'Z'));
}

/// Whether a bound such as `01` asks for leading zeros.
bool is_padded(std::string_view s) {
  if (s.starts_with('-')) s.remove_prefix(1);
  return s.size() > 1 && s[0] == '0';
}

/// The number with leading zeros up to `width`; a minus sign counts, as in Bash.
std::string pad(long value, size_t width) {
  std::string digits = std::to_string(std::abs(value));
  const size_t sign = value < 0 ? 1 : 0;
  if (digits.size() + sign < width) digits.insert(0, width - sign - digits.size(), '0');
  return value < 0 ? "-" + digits : digits;
}

/// `first..last` or `first..last..step`, all numbers or letters.
struct Sequence {
  long first = 0;
  long last = 0;
  long step = 1;
  size_t width = 0;
  bool letters = false;
};

/// Splits on `..`: `1..9..2` has three parts.
std::vector<std::string_view> split_dots(std::string_view body) {
  std::vector<std::string_view> parts;
  for (size_t at; (at = body.find("..")) != std::string_view::npos; body.remove_prefix(at + 2))
    parts.push_back(body.substr(0, at));
  parts.push_back(body);
  return parts;
}

/// Nothing if the body is no sequence; then the braces are plain text, as in shells.
std::optional<Sequence> parse_sequence(std::string_view body) {
  const auto parts = split_dots(body);
  if (parts.size() < 2 || parts.size() > 3) return std::nullopt;
  Sequence s;
  s.letters = is_letter(parts[0]) && is_letter(parts[1]);
  const auto bound = [&](std::string_view p) { return s.letters ? std::optional<long>(p[0]) : parse_number(p); };
  const auto first = bound(parts[0]);
  const auto last = bound(parts[1]);
  const auto step = parts.size() == 3 ? parse_number(parts[2]) : std::optional<long>(1);
  if (!first || !last || !step) return std::nullopt;
  s.first = *first;
  s.last = *last;
  // A step of 0 counts as 1, and its sign is ignored: the bounds give the direction.
  s.step = std::max(std::abs(*step), 1L);
  if (!s.letters && (is_padded(parts[0]) || is_padded(parts[1]))) s.width = std::max(parts[0].size(), parts[1].size());
  return s;
}

/// The error of every limit on the number of patterns.
std::unexpected<Error> too_many(size_t limit) {
  return fail(Errc::LimitExceeded, "the braces expand to more than " + std::to_string(limit) + " patterns");
}

/// Expands braces from left to right. `heads` are all the texts that the pattern so far stands for; each brace group
/// multiplies them by its members. The limit is checked before every multiplication, so a pattern such as
/// `{a,b}{a,b}{a,b}…` cannot use up the memory.
class Expander {
 public:
  explicit Expander(size_t limit) : limit_(limit) {}

  Result<std::vector<std::string>> expand(std::string_view text, int depth) {
    if (depth > kMaxNesting) return fail(Errc::LimitExceeded, "braces are nested too deeply");
    std::vector<std::string> heads = {""};
    for (size_t i = 0; i < text.size();) {
      if (text[i] == '\\' && i + 1 < text.size()) {
        append(heads, text.substr(i, 2));
        i += 2;
        continue;
      }
      auto members = members_at(text, i, depth);
      if (!members) return std::unexpected(members.error());
      if (members->empty()) {
        append(heads, text.substr(i++, 1));
        continue;
      }
      if (heads.size() * members->size() > limit_) return too_many(limit_);
      heads = combine(heads, *members);
      i = next_;
    }
    return heads;
  }

 private:
  /// The members of the brace group at `i`, and `next_` is set to the position after it. Empty if there is no group
  /// there. `${` is left alone, because it belongs to a shell variable.
  Result<std::vector<std::string>> members_at(std::string_view text, size_t i, int depth) {
    std::vector<std::string> members;
    GroupSpan span;
    if (text[i] != '{' || (i > 0 && text[i - 1] == '$') || !find_group(text, i, span)) return members;
    if (span.separators.empty()) {
      auto sequence = expand_sequence(text.substr(i + 1, span.close - i - 1), limit_);
      next_ = span.close + 1;
      return sequence;
    }
    for (const std::string_view branch : span.branches(text, i)) {
      auto expanded = expand(branch, depth + 1);
      if (!expanded) return expanded;
      members.insert(members.end(), expanded->begin(), expanded->end());
      if (members.size() > limit_) return too_many(limit_);
    }
    next_ = span.close + 1;
    return members;
  }

  static void append(std::vector<std::string>& heads, std::string_view tail) {
    for (std::string& head : heads) head += tail;
  }

  /// Every head with every tail, in the order in which shells list them.
  static std::vector<std::string> combine(const std::vector<std::string>& heads,
                                          const std::vector<std::string>& tails) {
    std::vector<std::string> all;
    all.reserve(heads.size() * tails.size());
    for (const std::string& head : heads)
      for (const std::string& tail : tails) all.push_back(head + tail);
    return all;
  }

  size_t limit_;
  size_t next_ = 0;
};

}  // namespace

Result<std::vector<std::string>> expand_sequence(std::string_view body, size_t limit) {
  std::vector<std::string> members;
  const auto s = parse_sequence(body);
  if (!s) return members;
  const long count = std::abs(s->last - s->first) / s->step + 1;
  if (count > static_cast<long>(limit)) return too_many(limit);
  const long step = s->last < s->first ? -s->step : s->step;
  for (long i = 0; i < count; ++i) {
    const long value = s->first + i * step;
    members.push_back(s->letters ? std::string(1, static_cast<char>(value)) : pad(value, s->width));
  }
  return members;
}

Result<std::vector<std::string>> expand_braces(std::string_view pattern, size_t limit) {
  return Expander(limit).expand(pattern, 0);
}

std::vector<std::string_view> GroupSpan::branches(std::string_view text, size_t open) const {
  std::vector<std::string_view> parts;
  size_t from = open + 1;
  for (const size_t at : separators) {
    parts.push_back(text.substr(from, at - from));
    from = at + 1;
  }
  parts.push_back(text.substr(from, close - from));
  return parts;
}

/// One pass that counts brackets. Escaped characters never open, close or separate. Separators count only at the top
/// level of this group and outside of groups of the other kind, so `{a,@(b|c)}` has two branches.
bool find_group(std::string_view text, size_t open, GroupSpan& span) {
  const bool braces = text[open] == '{';
  const char opener = text[open];
  const char closer = braces ? '}' : ')';
  const char separator = braces ? ',' : '|';
  int depth = 0;
  int inner = 0;  // nesting in groups of the other kind
  for (size_t i = open; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\') {
      ++i;
    } else if (c == opener) {
      ++depth;
    } else if (c == closer) {
      if (--depth == 0) {
        span.close = i;
        return true;
      }
    } else if (c == (braces ? '(' : '{')) {
      ++inner;
    } else if (c == (braces ? ')' : '}')) {
      inner = std::max(inner - 1, 0);
    } else if (c == separator && depth == 1 && inner == 0) {
      span.separators.push_back(i);
    }
  }
  return false;
}

}  // namespace grapnel::match
