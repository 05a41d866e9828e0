#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "call/call.h"

/// Questions about the words of commands. Whatever only the running shell knows is answered with `Maybe`, see `call.h`.
namespace grapnel::call {

/// Whether the command starts with the words of the pattern: `git push`. The program is compared by its base name,
/// unless the pattern's program contains a slash. A `*` alone stands for any number of words, and inside a word for any
/// text. Options between the words are skipped (`git -C dir push`). A pattern word that starts with `-` is answered by
/// `has_flag`.
Certainty matches_command(const SimpleCommand& command, const std::vector<std::string>& pattern);

/// The words of a command that one word of a pattern stands for: [from, to).
struct WordRange {
  size_t from = 0;
  size_t to = 0;

  bool operator==(const WordRange&) const = default;
};

/// For each word of the pattern, the words it stands for. An option stands for none, since it may be anywhere; a `*` at
/// the end stands for all remaining words. Empty optional unless the command certainly matches.
std::optional<std::vector<WordRange>> align_words(const SimpleCommand& command,
                                                  const std::vector<std::string>& pattern);

/// The index of the first word that is neither the program, nor an option in front of the subcommand, nor the value of
/// such an option: the index of `push` in `git -C dir push`. Returns 1 for programs whose global options are not in the
/// table.
size_t find_subcommand(const SimpleCommand& command);

/// Whether the option is given in any spelling: `-f` and `--force`, `-rf`, `-r -f`, `--force=x`, the abbreviation
/// `--forc`. Asking for `-rf` asks for both letters.
Certainty has_flag(const SimpleCommand& command, std::string_view flag);

/// Whether at least one command of the text matches. An unclear text gives at least `Maybe`: it may contain more
/// commands.
Certainty any_matches(const ParsedCommand& parsed, const std::vector<std::string>& pattern);

/// Whether every command of the text matches one of the patterns. A command of nothing but assignments or redirections
/// matches no pattern.
Certainty all_match(const ParsedCommand& parsed, const std::vector<std::vector<std::string>>& patterns);

}  // namespace grapnel::call
