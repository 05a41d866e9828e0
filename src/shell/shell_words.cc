#include "shell/shell_words.h"

#include <algorithm>
#include <array>

/// Two tables: the words that shells know by themselves, and the names of shells. Whoever needs to know about a further
/// word adds a row or a trait here, and not a list of their own.
namespace grapnel::shell {

namespace {

/// The traits of a word, as bits. A plain builtin has none: the shell knows it, but a program could do the same. The
/// other traits are explained at the functions in the header.
constexpr unsigned kBuiltin = 0;
constexpr unsigned kReserved = 1;
constexpr unsigned kFrames = 2;
constexpr unsigned kNeedsOwnShell = 4;
constexpr unsigned kBlock = 8;

struct ShellWord {
  std::string_view word;
  unsigned is;
};
/// Sorted by word, for the binary search. A row means that the shell knows the word by itself. Builtins that nobody
/// asks about are left out, unless there is also a program of that name.
constexpr auto kShellWords = std::to_array<ShellWord>({
    {"!", kReserved | kFrames},
    {".", kNeedsOwnShell},
    {":", kNeedsOwnShell},
    {"[", kBuiltin},
    {"[[", kReserved},
    {"alias", kNeedsOwnShell},
    {"bg", kBuiltin},
    {"break", kNeedsOwnShell},
    {"builtin", kBuiltin},
    {"case", kReserved | kBlock},
    {"cd", kNeedsOwnShell},
    {"command", kNeedsOwnShell},
    {"continue", kNeedsOwnShell},
    {"coproc", kReserved},
    {"declare", kReserved},
    {"do", kReserved | kFrames | kBlock},
    {"done", kReserved | kFrames | kBlock},
    {"echo", kBuiltin},
    {"elif", kReserved | kFrames | kBlock},
    {"else", kReserved | kFrames | kBlock},
    {"enable", kBuiltin},
    {"esac", kReserved | kBlock},
    {"eval", kNeedsOwnShell},
    {"exec", kNeedsOwnShell},
    {"exit", kNeedsOwnShell},
    {"export", kReserved},
    {"false", kBuiltin},
    {"fc", kBuiltin},
    {"fg", kBuiltin},
    {"fi", kReserved | kFrames | kBlock},
    {"for", kReserved | kBlock},
    {"function", kReserved | kBlock},
    {"getopts", kBuiltin},
    {"hash", kBuiltin},
    {"help", kNeedsOwnShell},
    {"if", kReserved | kFrames | kBlock},
    {"in", kReserved | kBlock},
    {"jobs", kBuiltin},
    {"kill", kBuiltin},
    {"let", kReserved},
    {"local", kReserved},
    {"printf", kBuiltin},
    {"pwd", kBuiltin},
    {"read", kBuiltin},
    {"readonly", kReserved},
    {"return", kReserved},
    {"select", kReserved | kBlock},
    {"set", kNeedsOwnShell},
    {"shift", kNeedsOwnShell},
    {"source", kNeedsOwnShell},
    {"test", kBuiltin},
    {"then", kReserved | kFrames | kBlock},
    {"time", kReserved | kFrames},
    {"times", kBuiltin},
    {"trap", kNeedsOwnShell},
    {"true", kBuiltin},
    {"type", kNeedsOwnShell},
    {"typeset", kReserved},
    {"ulimit", kNeedsOwnShell},
    {"umask", kNeedsOwnShell},
    {"unalias", kNeedsOwnShell},
    {"unset", kReserved},
    {"unsetenv", kReserved},
    {"until", kReserved | kFrames | kBlock},
    {"wait", kNeedsOwnShell},
    {"while", kReserved | kFrames | kBlock},
    {"{", kReserved | kFrames},
    {"}", kReserved | kFrames | kBlock},
});
static_assert(std::ranges::is_sorted(kShellWords, {}, &ShellWord::word));

/// A shell, and whether `${NAME}` is a variable in its language.
struct ShellName {
  std::string_view name;
  bool is_posix;
};
constexpr auto kShellNames = std::to_array<ShellName>({
    {"bash", true},
    {"sh", true},
    {"zsh", true},
    {"dash", true},
    {"ksh", true},
    {"ksh93", true},
    {"ash", true},
    {"mksh", true},
    {"rbash", true},
    {"yash", true},
    {"fish", false},
    {"csh", false},
    {"tcsh", false},
});

const ShellWord* find_shell_word(std::string_view word) {
  const auto* const found = std::ranges::lower_bound(kShellWords, word, {}, &ShellWord::word);
  return found != kShellWords.end() && found->word == word ? found : nullptr;
}

bool has_trait(std::string_view word, unsigned trait) {
  const ShellWord* const found = find_shell_word(word);
  return found != nullptr && (found->is & trait) != 0;
}

}  // namespace

bool is_reserved(std::string_view word) {
  return has_trait(word, kReserved);
}

bool frames_command(std::string_view word) {
  return has_trait(word, kFrames);
}

bool opens_block(std::string_view word) {
  return has_trait(word, kBlock);
}

bool is_shell_word(std::string_view word) {
  return find_shell_word(word) != nullptr;
}

bool needs_own_shell(std::string_view word) {
  return has_trait(word, kNeedsOwnShell);
}

bool is_shell(std::string_view program) {
  return std::ranges::find(kShellNames, program, &ShellName::name) != kShellNames.end();
}

bool is_posix_shell(std::string_view program) {
  const auto* const found = std::ranges::find(kShellNames, program, &ShellName::name);
  return found != kShellNames.end() && found->is_posix;
}

}  // namespace grapnel::shell
