#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace grapnel {

/// One word of a command, unquoted, and what the command does with it.
struct CommandWord {
  std::string text;
  bool is_written = false;  ///< the target of a redirection
  bool is_read = false;     ///< looked at by a program that cannot run it, in a command in which nothing can
};

/// Cuts a command into words as a shell would, near enough: quotes and backslashes join, blanks and operators separate.
/// Nothing is expanded. Text for another shell (`sh -c '…'`) is one word.
std::vector<CommandWord> words_of_command(std::string_view command);

}  // namespace grapnel
