#pragma once

#include <string_view>

/// The words that shells know by themselves (keywords and builtins), and the names of shells.
namespace grapnel::shell {

/// Whether the word means more than the name of a program at the start of a command: keywords, and builtins that
/// declare variables.
bool is_reserved(std::string_view word);

/// Whether the word stands in front of a command, or ends a block, without being a command: `if`, `then`, `!`, `done`.
bool frames_command(std::string_view word);

/// Whether a shell that finds the word unquoted at the start of a command reads a block, or a part of one: `do`,
/// `case`.
bool opens_block(std::string_view word);

/// Whether the shell knows the word, and starts no program for it: `cd`, `if`, `echo`.
bool is_shell_word(std::string_view word);

/// Whether only a shell can do it, because it changes the shell itself; a program of that name would be of no use
/// (`cd`, `exit`). Other builtins, like `echo` and `test`, also exist as programs.
bool needs_own_shell(std::string_view word);

/// Whether this is the name of a shell, without its directory.
bool is_shell(std::string_view program);

/// Whether it is a shell in whose language `${NAME}` is a variable.
bool is_posix_shell(std::string_view program);

}  // namespace grapnel::shell
