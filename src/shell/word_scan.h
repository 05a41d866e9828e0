#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "shell/parse.h"

/// Turns source text into words, in the order in which a shell does it: braces, variables, splitting, quote removal.
namespace grapnel::shell {

/// What a command prints, as far as it becomes part of a word.
struct Output {
  std::string text;
  bool is_end = false;  ///< something unknown stands in front of it: `$(which rm)` ends in `/bin/rm`
};

/// An expansion inside a word, found by the grammar.
struct Hole {
  size_t begin = 0;
  size_t end = 0;
  bool is_variable = false;        ///< `$NAME` or `${NAME…}`, whose value may be known
  bool splits = true;              ///< its result is split into words when unquoted
  const Output* output = nullptr;  ///< what a substitution gives, if that is known
};

/// A part of the source, and the expansions that the grammar found in it.
struct Span {
  std::string_view source;
  size_t begin = 0;
  size_t end = 0;
  std::vector<Hole> holes;  ///< in order, not nested
};

/// The words that the span stands for: `{a,b}` and `a${IFS}b` are several, `$EMPTY` is none.
std::vector<Word> scan_words(const Span& span, const Variables& variables);

/// The span as one word, as on the right side of an assignment or redirection, where a shell does not split.
Word scan_value(const Span& span, const Variables& variables);

/// The span as the body of a here-document whose delimiter is not quoted.
Word scan_here_document(const Span& span, const Variables& variables);

/// A word or an operator as it is spelled in a text.
struct Token {
  std::string text;          ///< of a word: without quotes and backslashes, expansions as they are spelled
  bool is_operator = false;  ///< one character of `;|&()<>` and the back quote, or a line break
  bool has_glob = false;     ///< `*`, `?` or `[…]` stood outside quotes
  size_t begin = 0;
  size_t end = 0;
};

/// The text cut at blanks and operators, without the grammar. Nothing is expanded, and nothing has to be complete. This
/// is for texts that are no commands (patterns), and for callers who want to know what a text mentions rather than what
/// it does.
std::vector<Token> tokenize(std::string_view text);

/// Which program reads the escapes: octal ones are `\nnn` in `$'…'` and printf, but `\0nnn` for `echo -e`.
enum class Escapes { Ansi, Echo };

/// The text with `\x41`, `\n`, `\101`, `\u0041` replaced by the characters that they stand for.
std::string decode_escapes(std::string_view text, Escapes style);

/// A word that is nothing but a gap.
Word unknown_word();

/// The word without its first `count` bytes. Gaps in these bytes move to the front.
Word drop_front(const Word& word, size_t count);

/// A word of known text.
Word literal_word(std::string_view text);

}  // namespace grapnel::shell
