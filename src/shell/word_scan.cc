#include "shell/word_scan.h"

#include <algorithm>
#include <cstdint>

#include "shell/odd_text.h"
#include "shell/parameter.h"

/// How words are made.
///
/// A shell expands a word in several passes, and each pass must know which characters were quoted: `"{a,b}"` is one
/// word, `{a,b}` is two. So the source is first turned into a list of *atoms*, one for each character, each with a note
/// of how it came there. The passes then work on atoms:
///
///   source ──Scanner──▶ atoms ──expand_braces──▶ atoms of several words ──split_at_breaks──▶ words
///
/// Unknown text becomes an atom too (`Gap`, `SplitGap`), so that it takes part in all passes.
namespace grapnel::shell {

namespace {

/// `{a,b}{a,b}{a,b}…` grows exponentially. Beyond these limits the word is unknown.
constexpr size_t kMaxBraceWords = 256;
constexpr int kMaxBraceDepth = 16;

/// One character of a word and how it came there.
struct Atom {
  enum class Kind : uint8_t {
    Plain,     ///< unquoted source
    Quoted,    ///< protected from everything
    Expanded,  ///< from an unquoted variable: globs work in it, braces do not
    Break,     ///< a word break from an expansion
    Gap,       ///< unknown text in one word
    SplitGap,  ///< unknown text that may be several words, or none
    Empty,     ///< an opening quote: there is a word, even if it is `""`
  };
  Kind kind = Kind::Plain;
  char c = 0;
};
using Kind = Atom::Kind;
using Atoms = std::vector<Atom>;

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// The `NAME` in `$NAME` or `${NAME…}`.
std::string_view name_in(std::string_view expansion) {
  expansion.remove_prefix(expansion.starts_with("${") ? 2 : 1);
  const auto end = std::ranges::find_if_not(expansion, is_name_char);
  return expansion.substr(0, static_cast<size_t>(end - expansion.begin()));
}

bool is_blank_character(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

bool is_operator_character(char c) {
  return std::string_view(";|&()<>`\n").contains(c);
}

bool ends_word(char c) {
  return is_blank_character(c) || is_operator_character(c);
}

/// Turns the source of one word into atoms. The grammar has found the expansions (`Span::holes`); the quotes between
/// them are read here.
class Scanner {
 public:
  /// Word: quotes are removed and expansions replaced. HereDocument: everything is text, as in double quotes. Spelled:
  /// quotes are removed, but expansions stay as they are written; there are no holes.
  enum class Mode : uint8_t { Word, HereDocument, Spelled };

  Scanner(const Span& span, const Variables& variables, Mode mode)
      : span_(span), variables_(variables), at_(span.begin), mode_(mode) {}

  /// Scans one word up to a blank or an operator outside quotes. The position behind it is `at()`.
  Atoms scan_spelled() {
    while (at_ < span_.end && (in_double_ || !ends_word(peek()))) {
      if (in_double_) {
        step_double();
      } else {
        step_plain();
      }
    }
    return std::move(atoms_);
  }
  size_t at() const { return std::min(at_, span_.end); }

  /// Scans the whole span.
  Atoms scan() {
    while (at_ < span_.end) {
      if (const Hole* hole = hole_here()) {
        expand(*hole);
      } else if (mode_ == Mode::HereDocument) {
        step_quoted();
      } else if (in_double_) {
        step_double();
      } else {
        step_plain();
      }
    }
    return std::move(atoms_);
  }

 private:
  bool keeps_expansions() const { return mode_ == Mode::Spelled; }
  char peek(size_t ahead = 0) const { return at_ + ahead < span_.end ? span_.source[at_ + ahead] : '\0'; }
  void put(Kind kind, char c = 0) { atoms_.push_back({kind, c}); }
  bool is_quoted() const { return in_double_ || mode_ == Mode::HereDocument; }

  /// The expansion that the position is at, or null.
  const Hole* hole_here() {
    while (next_hole_ < span_.holes.size() && span_.holes[next_hole_].end <= at_) ++next_hole_;
    if (next_hole_ == span_.holes.size() || span_.holes[next_hole_].begin > at_) return nullptr;
    return &span_.holes[next_hole_];
  }

  /// Replaces an expansion: by its value, if it is a variable whose value is known, otherwise by a gap.
  void expand(const Hole& hole) {
    const std::string_view text = span_.source.substr(hole.begin, hole.end - hole.begin);
    at_ = std::min(hole.end, span_.end);
    if (hole.output != nullptr) return put_output(*hole.output);
    if (!hole.is_variable) return put(hole.splits && !is_quoted() ? Kind::SplitGap : Kind::Gap);
    // `"$@"` and `"${list[@]}"` are several words even inside quotes.
    if (text == "$@" || text.starts_with("${@") || text.contains("[@]")) return put(Kind::SplitGap);
    const std::string_view name = name_in(text);
    const auto known = variables_.find(name);
    const bool is_braced = text.starts_with("${") && text.size() >= name.size() + 3;
    const std::string_view operation = is_braced ? text.substr(name.size() + 2, text.size() - name.size() - 3) : "";
    // The text does not set IFS, so it contains blanks: `rm${IFS}-rf` is two words. `${IFS+rm}` may be anything.
    const bool is_blank = name == "IFS" && operation.empty() && !is_quoted() && known == variables_.end();
    if (is_blank) return put(Kind::Break);
    const auto value = known == variables_.end() ? std::nullopt : expand_parameter(known->second, operation);
    if (!value) return put(is_quoted() ? Kind::Gap : Kind::SplitGap);
    for (const char c : *value) put_value(c);
  }

  void put_output(const Output& output) {
    if (output.is_end) put(Kind::Gap);
    for (const char c : output.text) put_value(c);
  }

  void put_value(char c) {
    if (is_quoted()) return put(Kind::Quoted, c);
    const auto separators = variables_.find(std::string_view("IFS"));
    const bool blank =
        separators == variables_.end() ? c == ' ' || c == '\t' || c == '\n' : separators->second.contains(c);
    put(blank ? Kind::Break : Kind::Expanded, c);
  }

  /// One step outside quotes.
  void step_plain() {
    const char c = peek();
    if (c == '\\') {
      if (peek(1) != '\n' && at_ + 1 < span_.end) put(Kind::Quoted, peek(1));
      at_ += 2;
    } else if (c == '\'') {
      put_single_quoted();
    } else if (c == '"') {
      put(Kind::Empty);
      in_double_ = true;
      ++at_;
    } else if (c == '$') {
      step_dollar();
      // The grammar saw no expansion here, but a shell might. So it is unknown text.
    } else if (c == '`' || c == '(') {
      put(Kind::SplitGap);
      ++at_;
    } else {
      put(Kind::Plain, c);
      ++at_;
    }
  }

  void put_single_quoted() {
    put(Kind::Empty);
    for (++at_; at_ < span_.end && peek() != '\''; ++at_) put(Kind::Quoted, peek());
    ++at_;
  }

  void step_dollar() {
    const char next = peek(1);
    if (next == '\'') return put_ansi_quoted();
    // `$"…"` is a translated string, which is read like `"…"`.
    if (next == '"') {
      ++at_;
      return;
    }
    put_stray_dollar(Kind::SplitGap, Kind::Plain);
  }

  /// A `$` that the grammar did not take for an expansion. If a name or a bracket follows, a shell may expand it all
  /// the same, so it becomes a gap. Before other characters it is plain text.
  void put_stray_dollar(Kind gap, Kind text) {
    if (keeps_expansions()) gap = text;
    const char next = peek(1);
    const bool is_text = next == '\0' || std::string_view(" \t\n\"'/.,:=%^+~|\\").contains(next);
    put(is_text ? text : gap, '$');
    ++at_;
  }

  /// `$'…'`, in which escapes are decoded.
  void put_ansi_quoted() {
    put(Kind::Empty);
    at_ += 2;
    const size_t from = at_;
    while (at_ < span_.end && peek() != '\'') at_ += peek() == '\\' ? 2 : 1;
    const size_t to = std::min(at_, span_.end);
    for (const char c : decode_escapes(span_.source.substr(from, to - from), Escapes::Ansi)) put(Kind::Quoted, c);
    at_ = to + 1;
  }

  void step_double() {
    if (peek() == '"') {
      in_double_ = false;
      ++at_;
      return;
    }
    step_quoted();
  }

  /// One step inside double quotes or a here-document: a backslash protects only some characters.
  void step_quoted() {
    const char c = peek();
    if (c == '\\' && std::string_view("$`\"\\\n").contains(peek(1)) && at_ + 1 < span_.end) {
      // In a here-document, a quote is nothing special, so the backslash in front of it stays.
      const bool stays = peek(1) == '"' && mode_ == Mode::HereDocument;
      if (stays) put(Kind::Quoted, '\\');
      if (peek(1) != '\n') put(Kind::Quoted, peek(1));
      at_ += 2;
    } else if (c == '$') {
      put_stray_dollar(Kind::Gap, Kind::Quoted);
    } else if (c == '`' && !keeps_expansions()) {
      put(Kind::Gap);
      ++at_;
    } else {
      put(Kind::Quoted, c);
      ++at_;
    }
  }

  const Span& span_;
  const Variables& variables_;
  Atoms atoms_;
  size_t at_;
  size_t next_hole_ = 0;
  bool in_double_ = false;
  Mode mode_;
};

bool is_plain(const Atom& atom, char c) {
  return atom.kind == Kind::Plain && atom.c == c;
}

/// The parts of the brace group that opens at `open`: `{a,b}` has two. Empty if it is not a group that a shell expands
/// (`{a}`, or one that never closes). Sets `close` to its end, and `is_sequence` for `{1..9}`.
std::vector<Atoms> split_group(const Atoms& atoms, size_t open, size_t& close, bool& is_sequence) {
  std::vector<Atoms> parts(1);
  int depth = 0;
  for (size_t i = open; i < atoms.size(); ++i) {
    if (is_plain(atoms[i], '{') && depth++ == 0) continue;
    if (is_plain(atoms[i], '}') && --depth == 0) {
      close = i;
      // Without a comma, two dots make it a sequence.
      const auto& only = parts.front();
      for (size_t k = 1; k < only.size(); ++k) {
        is_sequence = is_sequence || (parts.size() == 1 && is_plain(only[k - 1], '.') && is_plain(only[k], '.'));
      }
      return parts.size() > 1 || is_sequence ? parts : std::vector<Atoms>{};
    }
    if (is_plain(atoms[i], ',') && depth == 1) {
      parts.emplace_back();
    } else {
      parts.back().push_back(atoms[i]);
    }
  }
  return {};
}

std::vector<Atoms> unknown_atoms() {
  return {Atoms{{Kind::SplitGap, 0}}};
}

/// The parts of a sequence of letters or small numbers, `{a..e}` or `{1..9}`; others are unknown text.
std::vector<Atoms> expand_sequence(const Atoms& atoms) {
  std::string text;
  for (const Atom& atom : atoms) text += atom.kind == Kind::Plain ? atom.c : '\0';
  const size_t dots = text.find("..");
  const std::string from = text.substr(0, dots);
  const std::string to = dots == std::string::npos ? "" : text.substr(dots + 2);
  const auto is_one = [](const std::string& part) {
    return part.size() == 1 && (is_name_char(part[0]) && part[0] != '_');
  };
  if (!is_one(from) || !is_one(to)) return {Atoms{{Kind::SplitGap, 0}}};
  std::vector<Atoms> out;
  const int step = from[0] <= to[0] ? 1 : -1;
  for (int c = from[0];; c += step) {
    out.push_back({{Kind::Plain, static_cast<char>(c)}});
    if (c == to[0]) break;
  }
  return out;
}

/// Expands the first group, and then each of the results again, since parts may contain groups, and more groups may
/// follow.
std::vector<Atoms> expand_braces(const Atoms& atoms, int depth) {
  if (depth > kMaxBraceDepth) return unknown_atoms();
  for (size_t i = 0; i < atoms.size(); ++i) {
    if (!is_plain(atoms[i], '{')) continue;
    size_t close = 0;
    bool is_sequence = false;
    std::vector<Atoms> parts = split_group(atoms, i, close, is_sequence);
    if (parts.empty()) continue;
    if (is_sequence) parts = expand_sequence(parts.front());
    std::vector<Atoms> all;
    for (const Atoms& part : parts) {
      Atoms whole(atoms.begin(), atoms.begin() + static_cast<ptrdiff_t>(i));
      whole.insert(whole.end(), part.begin(), part.end());
      whole.insert(whole.end(), atoms.begin() + static_cast<ptrdiff_t>(close) + 1, atoms.end());
      const std::vector<Atoms> expanded = expand_braces(whole, depth + 1);
      all.insert(all.end(), expanded.begin(), expanded.end());
      if (all.size() > kMaxBraceWords) return unknown_atoms();
    }
    return all;
  }
  return {atoms};
}

/// Adds an atom to a word. Two gaps in a row are one.
void append_atom(Word& word, const Atom& atom) {
  if (atom.kind == Kind::Empty) return;
  if (atom.kind == Kind::Gap || atom.kind == Kind::SplitGap) {
    if (word.gaps.empty() || word.gaps.back() != word.text.size()) word.gaps.push_back(word.text.size());
    word.splits = word.splits || atom.kind == Kind::SplitGap;
    return;
  }
  // A glob needs unquoted characters. A `]` only closes one if a `[` came before it.
  const bool can_glob = atom.kind == Kind::Plain || atom.kind == Kind::Expanded;
  if (can_glob && (atom.c == '*' || atom.c == '?')) word.has_glob = true;
  if (can_glob && atom.c == ']' && word.text.contains('[')) word.has_glob = true;
  word.text += atom.c;
}

/// Cuts the atoms into words. Breaks in a row, at the beginning or at the end make no empty words.
void split_at_breaks(const Atoms& atoms, std::vector<Word>& words) {
  bool is_open = false;
  for (const Atom& atom : atoms) {
    if (atom.kind == Kind::Break) {
      is_open = false;
      continue;
    }
    if (!is_open) words.emplace_back();
    is_open = true;
    append_atom(words.back(), atom);
  }
}

/// All atoms as one word, where a shell does not split.
Word join_atoms(const Atoms& atoms) {
  Word word;
  for (Atom atom : atoms) {
    if (atom.kind == Kind::Break) atom = {Kind::Quoted, ' '};
    if (atom.kind == Kind::SplitGap) atom.kind = Kind::Gap;
    append_atom(word, atom);
  }
  word.is_odd = has_odd_characters(word.text);
  return word;
}

/// Reads a number of at most `digits` digits at `at`, which is moved behind it.
uint32_t read_number(std::string_view text, size_t& at, uint32_t base, int digits) {
  uint32_t value = 0;
  for (; digits > 0 && at < text.size(); --digits, ++at) {
    const char c = text[at];
    uint32_t digit = 99;
    if (c >= '0' && c <= '9') digit = static_cast<uint32_t>(c - '0');
    if (c >= 'a' && c <= 'f') digit = static_cast<uint32_t>(c - 'a' + 10);
    if (c >= 'A' && c <= 'F') digit = static_cast<uint32_t>(c - 'A' + 10);
    if (digit >= base) break;
    value = value * base + digit;
  }
  return value;
}

void append_utf8(std::string& out, uint32_t c) {
  const auto byte = [&](uint32_t b) { out += static_cast<char>(b); };
  if (c < 0x80) return byte(c);
  if (c < 0x800) {
    byte(0xC0 | (c >> 6));
  } else if (c < 0x10000) {
    byte(0xE0 | (c >> 12));
    byte(0x80 | ((c >> 6) & 0x3F));
  } else {
    byte(0xF0 | ((c >> 18) & 0x07));
    byte(0x80 | ((c >> 12) & 0x3F));
    byte(0x80 | ((c >> 6) & 0x3F));
  }
  byte(0x80 | (c & 0x3F));
}

/// Decodes the escape whose letter is at `at`, which is moved behind it. An unknown escape stays as it is.
void decode_one(std::string_view text, size_t& at, Escapes style, std::string& out) {
  constexpr std::string_view kLetters = "abeEfnrtv\\'\"?";
  constexpr std::string_view kValues = "\a\b\x1b\x1b\f\n\r\t\v\\'\"?";
  const char c = text[at];
  if (const size_t found = kLetters.find(c); found != std::string_view::npos) {
    out += kValues[found];
    ++at;
  } else if (c == 'x') {
    out += static_cast<char>(read_number(text, ++at, 16, 2));
  } else if (c == 'u' || c == 'U') {
    append_utf8(out, read_number(text, ++at, 16, c == 'u' ? 4 : 8));
  } else if (c >= '0' && c <= '7') {
    out += static_cast<char>(read_number(text, at, 8, c == '0' && style == Escapes::Echo ? 4 : 3));
    // `\cx` is the control character of `x`.
  } else if (c == 'c' && at + 1 < text.size()) {
    out += static_cast<char>(text[at + 1] & 0x1F);
    at += 2;
  } else {
    out += '\\';
    out += c;
    ++at;
  }
}

}  // namespace

std::string decode_escapes(std::string_view text, Escapes style) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    if (text[at] != '\\' || at + 1 == text.size()) {
      out += text[at++];
      continue;
    }
    decode_one(text, ++at, style, out);
  }
  return out;
}

std::vector<Word> scan_words(const Span& span, const Variables& variables) {
  std::vector<Word> words;
  const Atoms atoms = Scanner(span, variables, Scanner::Mode::Word).scan();
  for (const Atoms& one : expand_braces(atoms, 0)) split_at_breaks(one, words);
  for (Word& word : words) word.is_odd = has_odd_characters(word.text);
  return words;
}

Word scan_value(const Span& span, const Variables& variables) {
  return join_atoms(Scanner(span, variables, Scanner::Mode::Word).scan());
}

Word scan_here_document(const Span& span, const Variables& variables) {
  return join_atoms(Scanner(span, variables, Scanner::Mode::HereDocument).scan());
}

std::vector<Token> tokenize(std::string_view text) {
  const Variables none;
  std::vector<Token> tokens;
  for (size_t at = 0; at < text.size();) {
    if (is_blank_character(text[at])) {
      ++at;
    } else if (is_operator_character(text[at])) {
      tokens.push_back({.text = std::string(1, text[at]), .is_operator = true, .begin = at, .end = at + 1});
      ++at;
    } else {
      const Span rest{.source = text, .begin = at, .end = text.size(), .holes = {}};
      Scanner scanner(rest, none, Scanner::Mode::Spelled);
      Word word = join_atoms(scanner.scan_spelled());
      tokens.push_back({.text = std::move(word.text), .has_glob = word.has_glob, .begin = at, .end = scanner.at()});
      at = scanner.at();
    }
  }
  return tokens;
}

Word unknown_word() {
  Word word;
  word.gaps = {0};
  word.splits = true;
  return word;
}

Word drop_front(const Word& word, size_t count) {
  Word out = word;
  count = std::min(count, word.text.size());
  out.text.erase(0, count);
  for (size_t& gap : out.gaps) gap = gap < count ? 0 : gap - count;
  return out;
}

Word literal_word(std::string_view text) {
  Word word;
  word.text = text;
  word.is_odd = has_odd_characters(text);
  return word;
}

}  // namespace grapnel::shell
