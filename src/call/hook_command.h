#pragma once

#include <string>
#include <string_view>
#include <vector>

/// A hook's own command, which somebody wrote into a settings file. Trust and the runner do not ask what it would do,
/// but what it mentions and how to start it.
namespace grapnel::call {

/// One word of a command, unquoted, and what the command does with it.
struct CommandWord {
  std::string text;
  bool is_written = false;  ///< the target of a redirection
  bool is_read = false;     ///< looked at by a program that cannot run it, in a command in which nothing can
};

/// Cuts a command into words as a shell would, near enough: quotes and backslashes join, blanks and operators separate.
/// Nothing is expanded. Text for another shell (`sh -c '…'`) is one word.
std::vector<CommandWord> words_of_command(std::string_view command);

/// The words of a command that a shell would run just as they stand, so that it needs no shell; nothing when it uses
/// any syntax, or starts with a word that the shell itself knows.
std::vector<std::string> plain_words(std::string_view command);

}  // namespace grapnel::call
