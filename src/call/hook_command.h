#pragma once

#include <string>
#include <string_view>
#include <vector>

/// A hook's own command, as somebody wrote it into a settings file. Trust and the runner do not ask what it would do.
/// Trust asks which files it mentions, so that it can watch them; the runner asks how to start it.
namespace grapnel::call {

/// One word of a command, without quotes, and how the command uses it.
struct CommandWord {
  std::string text;
  bool is_written = false;  ///< the target of a redirection
  bool is_read = false;     ///< only data: no program in this command can run it, or pass it to one that does
};

/// Splits a command into words roughly as a shell does: quotes and backslashes join, blanks and operators separate.
/// Nothing is expanded. Code for another shell (`sh -c '…'`) is one word.
std::vector<CommandWord> words_of_command(std::string_view command);

/// The words of a command that can be started without a shell, because a shell would run exactly these words. Empty
/// when the command uses shell syntax or starts with a word that the shell itself handles (`cd`, `if`).
std::vector<std::string> plain_words(std::string_view command);

}  // namespace grapnel::call
