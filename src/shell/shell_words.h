#pragma once

#include <string_view>

/// The words that shells know by themselves, in one table: keywords and builtins. And the names of shells.
namespace grapnel::shell {

/// The word means more than a program's name where a command starts: keywords, and builtins that declare variables.
bool is_reserved(std::string_view word);

/// The word stands in front of a command, or ends a block, without being a command: `if`, `then`, `!`, `done`.
bool frames_command(std::string_view word);

/// The shell knows the word and starts no program for it: `cd`, `if`, `echo`.
bool is_shell_word(std::string_view word);

/// Only a shell can do it: it changes the shell itself, so that a program of that name would be of no use (`cd`,
/// `exit`). Others, like `echo` and `test`, are programs as well.
bool needs_own_shell(std::string_view word);

/// A shell's name, without its directory.
bool is_shell(std::string_view program);

/// The same, of those in whose language `${NAME}` is a variable.
bool is_posix_shell(std::string_view program);

}  // namespace grapnel::shell
