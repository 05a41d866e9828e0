#include "shell/fast_path.h"

#include <array>

#include "shell/shell_words.h"

namespace grapnel::shell {

namespace {

/// Characters that mean nothing special to a shell, apart from the few cases below at the beginning of a word or in the
/// first word. When in doubt, leave a character out: the text then only takes the slower way through the grammar.
constexpr auto kPlain = [] {
  std::array<bool, 256> plain{};
  for (const char* c = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@%+,="; *c != '\0'; ++c) {
    plain[static_cast<unsigned char>(*c)] = true;
  }
  return plain;
}();

bool is_plain(char c) {
  return kPlain[static_cast<unsigned char>(c)];
}

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

}  // namespace

std::optional<std::string_view> next_plain_word(std::string_view text, size_t& at) {
  while (at < text.size() && is_blank(text[at])) ++at;
  const size_t begin = at;
  while (at < text.size() && is_plain(text[at])) ++at;
  if (at < text.size() && !is_blank(text[at])) return std::nullopt;
  // The grammar takes some words that start with `=` for operators, and zsh replaces `=ls` with the path of that
  // program.
  if (begin < text.size() && text[begin] == '=') return std::nullopt;
  return text.substr(begin, at - begin);
}

std::optional<SimpleCommand> split_plain(std::string_view text) {
  SimpleCommand command;
  for (size_t at = 0; at < text.size();) {
    const auto word = next_plain_word(text, at);
    if (!word) return std::nullopt;
    if (word->empty()) break;
    const size_t begin = at - word->size();
    if (command.words.empty()) command.begin = begin;
    command.end = at;
    command.words.push_back({.text = std::string(*word), .begin = begin, .end = at});
  }
  if (command.words.empty()) return std::nullopt;
  // The first word decides what the line is. It must be the name of a program, and neither an assignment (`A=1`), an
  // option, a job (`%1`) nor a keyword (`if`).
  const std::string& first = command.words.front().text;
  const bool is_name = is_plain(first[0]) && !std::string_view("-+").contains(first[0]);
  if (!is_name || first.find_first_of("=%@:,") != std::string::npos || is_reserved(first)) return std::nullopt;
  return command;
}

}  // namespace grapnel::shell
