#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "call/call.h"

/// Questions about commands. The answer to what only the running shell knows is `Maybe`: enough to deny or to ask,
/// never enough to allow.
namespace grapnel::call {

/// A command's leading words are those of the pattern: `git push`. The program is compared by its base name unless the
/// pattern's has a slash. A `*` alone stands for any words, inside a word for any text. Options between the words are
/// skipped (`git -C dir push`); a pattern word that starts with `-` asks `has_flag`.
Certainty matches_command(const SimpleCommand& command, const std::vector<std::string>& pattern);

/// The words that one word of a pattern stands for, from the first to the one behind the last.
struct WordRange {
  size_t from = 0;
  size_t to = 0;

  bool operator==(const WordRange&) const = default;
};

/// What each word of the pattern stands for; options asked for stand for none, a `*` at the end for all that is left.
/// Nothing unless the command surely matches.
std::optional<std::vector<WordRange>> align_words(const SimpleCommand& command,
                                                  const std::vector<std::string>& pattern);

/// The place of the first word behind the program that is no option in front of a subcommand, nor the value of one:
/// of `push` in `git -C dir push`. Only for programs whose options are known to stand there; 1 for others.
size_t find_subcommand(const SimpleCommand& command);

/// The option is given, however spelled: `-f` and `--force`, `-rf`, `-r -f`, `--force=x`, `--forc`. `-rf` asks for
/// both letters.
Certainty has_flag(const SimpleCommand& command, std::string_view flag);

/// Some command of the text matches. An unclear text may always hold one more.
Certainty any_matches(const ParsedCommand& parsed, const std::vector<std::string>& pattern);

/// Every command of the text matches one of the patterns. What only assigns or redirects matches none.
Certainty all_match(const ParsedCommand& parsed, const std::vector<std::vector<std::string>>& patterns);

}  // namespace grapnel::call
