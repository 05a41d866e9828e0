#include "shell/fast_path.h"

#include <algorithm>
#include <array>

namespace grapnel::shell {

namespace {

constexpr auto kReserved = std::to_array<std::string_view>(
    {"{",      "}",       "!",     "[[",     "if",       "then",    "elif",   "else",     "fi",     "for",
     "while",  "until",   "do",    "done",   "case",     "esac",    "select", "function", "in",     "time",
     "coproc", "declare", "local", "export", "readonly", "typeset", "unset",  "unsetenv", "return", "let"});

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_-./:@%+,=").contains(c);
}

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

}  // namespace

bool is_reserved(std::string_view word) {
  return std::ranges::find(kReserved, word) != kReserved.end();
}

std::optional<SimpleCommand> split_plain(std::string_view text) {
  SimpleCommand command;
  for (size_t at = 0; at < text.size();) {
    if (is_blank(text[at])) {
      ++at;
      continue;
    }
    const size_t begin = at;
    while (at < text.size() && is_plain(text[at])) ++at;
    if (at < text.size() && !is_blank(text[at])) return std::nullopt;
    // The grammar takes some of these for operators.
    if (text[begin] == '=') return std::nullopt;
    if (command.words.empty()) command.begin = begin;
    command.end = at;
    command.words.push_back({.text = std::string(text.substr(begin, at - begin)), .begin = begin, .end = at});
  }
  if (command.words.empty()) return std::nullopt;
  const std::string& first = command.words.front().text;
  const bool is_name = is_plain(first[0]) && !std::string_view("-+").contains(first[0]);
  if (!is_name || first.find_first_of("=%@:,") != std::string::npos || is_reserved(first)) return std::nullopt;
  return command;
}

}  // namespace grapnel::shell
