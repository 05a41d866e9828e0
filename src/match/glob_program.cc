#include "match/glob_program.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "base/error.h"
#include "match/glob.h"

namespace grapnel::match {

// An example: `*.h` becomes the nodes End ← `h` ← `.` ← Star ← (guards), and is run over "a.h" from the end:
//
//   at ""     End is true
//   at "h"    `h` is true, because its byte is here and End is true one position later
//   at ".h"   `.` is true; Star is true, because it may match nothing before `.`
//   at "a.h"  Star is true, because it was true one position later and "a" is not a slash
//
// Some nodes look at the row of the next position (they consume a byte), others at the row of the same position.

namespace {

// A loop refers to nodes after it, so a row with loops is swept until it no longer changes. Each level of nested loops
// that can match nothing may need one more sweep; the parser limits the nesting.
constexpr int kMaxSweeps = 40;

/// Whether a byte is inside of a UTF-8 character.
bool continues_char(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

/// Whether the segment around `pos` is `.` or `..`. Going back three bytes is enough to know.
bool in_dots_segment(std::string_view s, size_t pos) {
  size_t begin = pos;
  while (begin > 0 && s[begin - 1] != '/' && pos - begin < 3) --begin;
  const std::string_view segment = s.substr(begin, std::min(s.find('/', begin), s.size()) - begin);
  return segment == "." || segment == "..";
}

}  // namespace

/// Emits nodes from the end of the pattern to its start, so that a node's successor always exists when the node is
/// made. The functions take the node that follows (`next`) and return the node at which their part begins.
class GlobCompiler {
 public:
  using Op = GlobProgram::Op;
  explicit GlobCompiler(const GlobStyle& style) : style_(style) {}

  Result<GlobProgram> compile(const TokenList& tokens) {
    const uint16_t end = add(ends_with_optional_slash(tokens) ? Op::EndSlash : Op::End);
    program_.start_ = emit_list(tokens, end, true);
    if (overflow_) return fail(Errc::LimitExceeded, "the glob is too large");
    return std::move(program_);
  }

 private:
  /// In picomatch, a pattern that ends in `*` or a class also matches with a slash at the end.
  bool ends_with_optional_slash(const TokenList& tokens) const {
    if (style_.any_trailing_slash) return true;
    return !tokens.empty() && (tokens.back().kind == TokenKind::Star || tokens.back().kind == TokenKind::Class);
  }

  uint16_t add(Op op, uint16_t next = 0, uint16_t other = 0, char byte = 0) {
    if (program_.nodes_.size() >= kMaxGlobNodes) {
      overflow_ = true;
      return 0;
    }
    program_.nodes_.push_back({op, byte, next, other});
    return static_cast<uint16_t>(program_.nodes_.size() - 1);
  }

  /// `whole` is true for the pattern itself and false for the branches of a group.
  uint16_t emit_list(const TokenList& tokens, uint16_t next, bool whole) {
    for (size_t i = tokens.size(); i > 0 && !overflow_;) {
      const size_t used = emit_globstar(tokens, i, whole, next);
      if (used == 0) next = emit(tokens, i - 1, next, whole);
      i -= std::max<size_t>(used, 1);
    }
    return next;
  }

  /// Handles `**` together with the slash next to it, if tokens [0, end) end in that. Returns the number of tokens that
  /// it used: 0 or 2.
  size_t emit_globstar(const TokenList& tokens, size_t end, bool whole, uint16_t& next) {
    const auto is = [&](size_t back, TokenKind kind) { return end >= back && tokens[end - back].kind == kind; };
    if (is(1, TokenKind::Slash) && is(2, TokenKind::Globstar)) {  // `**/` may match nothing
      next = add(Op::Split, next, add(globstar(), add_slash(next)));
      return 2;
    }
    const bool last = whole && end == tokens.size() && is(1, TokenKind::Globstar) && is(2, TokenKind::Slash);
    if (last && style_.globstar_parent && end > 2 &&
        !is(3, TokenKind::Star)) {  // `src/**` matches `src`, `*/**` not `a`
      next = add(Op::Split, next, add_slash(add(globstar(), next)));
      return 2;
    }
    return 0;
  }

  Op globstar() const { return style_.dot ? Op::GlobstarDots : Op::Globstar; }
  uint16_t add_slash(uint16_t next) { return add(Op::Byte, next, 0, '/'); }

  uint16_t emit(const TokenList& tokens, size_t i, uint16_t next, bool whole) {
    const Token& token = tokens[i];
    switch (token.kind) {
      case TokenKind::Byte:
        return add(Op::Byte, next, 0, token.byte);
      case TokenKind::Slash:
        return add_slash(next);
      case TokenKind::Globstar:
        return add(globstar(), next);
      case TokenKind::AnyChar:
        return guard(token, add(Op::Char, add(Op::RestOfChar, next)));
      case TokenKind::Class:
        return emit_class(token, next);
      case TokenKind::Group:
        return emit_group(token, next);
      case TokenKind::Star:
        break;
    }
    // `*` as a whole segment needs something to match, so `a/*` does not match `a/`.
    const bool last = i + 1 == tokens.size() ? whole : tokens[i + 1].kind == TokenKind::Slash;
    return emit_star(token, next, token.at_start && last);
  }

  /// Styles differ in what an empty segment is: with `empty_segments`, `*/a` matches `/a`.
  uint16_t emit_star(const Token& token, uint16_t next, bool whole_segment) {
    if (style_.star_crosses_slash) return add(Op::StarAll, next);
    next = add(Op::Star, next);
    if (whole_segment) next = add(style_.empty_segments ? Op::More : Op::InSegment, next);
    if (token.after_dot && !style_.guard_everywhere) next = add(Op::NotDots, next);
    return guard(token, next);
  }

  uint16_t emit_class(const Token& token, uint16_t next) {
    program_.sets_.push_back(token.set);
    next = add(Op::Class, add(Op::RestOfChar, next), static_cast<uint16_t>(program_.sets_.size() - 1));
    return style_.guard_everywhere ? guard(token, next) : next;
  }

  /// Keeps a wildcard from matching a leading dot and the segments `.` and `..`, as the style wants it.
  uint16_t guard(const Token& token, uint16_t next) {
    if (style_.guard_everywhere) next = add(Op::NotDots, next);
    if (!style_.guard_everywhere && !token.at_start) return next;
    return style_.dot ? next : add(Op::NoDot, next);
  }

  /// `+(a)` enters the loop of `*(a)` at its body. `!(a)` is anything that fits the rest of the pattern, unless `a`
  /// followed by that rest fits.
  uint16_t emit_group(const Token& token, uint16_t next) {
    switch (token.group) {
      case GroupKind::One:
        return emit_branches(token, next);
      case GroupKind::Optional:
        return add(Op::Split, next, emit_branches(token, next));
      case GroupKind::Many:
        return emit_loop(token, next);
      case GroupKind::Some:
        return program_.nodes_[emit_loop(token, next)].other;
      case GroupKind::Not:
        break;
    }
    const uint16_t excluded = emit_branches(token, next);
    uint16_t anything = add(style_.star_crosses_slash ? Op::StarAll : Op::Star, next);
    if (style_.guard_everywhere) anything = guard(token, anything);
    return add(Op::Unless, anything, excluded);
  }

  uint16_t emit_branches(const Token& token, uint16_t next) {
    std::optional<uint16_t> all;
    for (const TokenList& branch : token.branches) {
      const uint16_t start = emit_list(branch, next, false);
      all = all ? add(Op::Split, *all, start) : start;
    }
    return all.value_or(next);
  }

  /// The head of the loop is made first, so that the body can lead back to it.
  uint16_t emit_loop(const Token& token, uint16_t next) {
    program_.has_loop_ = true;
    const uint16_t head = add(Op::Split, next, next);
    const uint16_t body = emit_branches(token, head);
    program_.nodes_[head].other = body;
    return head;
  }

  const GlobStyle& style_;
  GlobProgram program_;
  bool overflow_ = false;
};

Result<GlobProgram> GlobProgram::compile(const TokenList& tokens, const GlobStyle& style) {
  return GlobCompiler(style).compile(tokens);
}

/// A position in the subject, the row that is being computed for it, and the finished row of the next position.
struct GlobProgram::At {
  std::string_view subject;
  size_t pos;
  const uint8_t* here;
  const uint8_t* after;
  bool more = pos < subject.size();
  char byte = more ? subject[pos] : '\0';
  bool in_segment = more && byte != '/';
  bool leading_dot = more && byte == '.' && (pos == 0 || subject[pos - 1] == '/');
};

bool GlobProgram::holds(const Node& node, size_t self, const At& at) const {
  switch (node.op) {
    case Op::End:
      return !at.more;
    case Op::EndSlash:
      return !at.more || (at.pos + 1 == at.subject.size() && at.byte == '/');
    case Op::Byte:
      return at.more && at.byte == node.byte && at.after[node.next];
    case Op::Char:
      return at.in_segment && at.after[node.next];
    case Op::Class:
      return at.more && at.after[node.next] && sets_[node.other].contains(decode_utf8(at.subject.substr(at.pos)).code);
    case Op::RestOfChar:
      return at.more && continues_char(at.byte) ? at.after[self] : at.here[node.next];
    case Op::Star:
      return at.here[node.next] || (at.in_segment && at.after[self]);
    case Op::StarAll:
      return at.here[node.next] || (at.more && at.after[self]);
    case Op::Globstar:
      return at.here[node.next] || (at.more && !at.leading_dot && at.after[self]);
    case Op::GlobstarDots:
      return at.here[node.next] ||
             (at.more && at.after[self] && !(at.leading_dot && in_dots_segment(at.subject, at.pos)));
    case Op::Split:
      return at.here[node.next] || at.here[node.other];
    case Op::NoDot:
      return !at.leading_dot && at.here[node.next];
    case Op::NotDots:
      return at.here[node.next] && !in_dots_segment(at.subject, at.pos);
    case Op::More:
      return at.more && at.here[node.next];
    case Op::InSegment:
      return at.in_segment && at.here[node.next];
    case Op::Unless:
      return at.here[node.next] && !at.here[node.other];
  }
  return false;
}

/// Returns whether a value changed.
bool GlobProgram::sweep(const At& at, uint8_t* row) const {
  bool changed = false;
  for (size_t i = 0; i < nodes_.size(); ++i) {
    const uint8_t value = holds(nodes_[i], i, at) ? 1 : 0;
    changed |= value != row[i];
    row[i] = value;
  }
  return changed;
}

/// Only two rows are ever needed. Small programs, which are nearly all, keep them on the stack.
bool GlobProgram::matches(std::string_view subject) const {
  constexpr size_t kInline = 256;
  std::array<uint8_t, 2 * kInline> small;
  std::vector<uint8_t> large;
  const size_t width = nodes_.size();
  if (width > kInline) large.resize(2 * width);
  uint8_t* here = width > kInline ? large.data() : small.data();
  uint8_t* after = here + width;
  for (size_t pos = subject.size() + 1; pos-- > 0;) {
    std::swap(here, after);
    std::memset(here, 0, width);
    const At at{subject, pos, here, after};
    // No node is true here, so none can become true at an earlier position.
    if (!sweep(at, here)) return false;
    for (int n = 0; has_loop_ && n < kMaxSweeps && sweep(at, here);) ++n;
  }
  return here[start_] != 0;
}

}  // namespace grapnel::match
