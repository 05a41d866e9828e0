#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dialect/dialect.h"
#include "os/resolve.h"

/// Turns the command text of a hook into a program to start.
///
/// Values never become part of shell text. `$GEMINI_CWD` in a command becomes a reference to the variable of that name
/// in the environment of the child, and the reference is quoted as its place requires: `"$GEMINI_CWD"` outside of
/// quotes; inside single quotes the quotes are closed before it and opened again behind it. So a directory stays one
/// word, whatever its name is. If the text is a program for another shell (`sh -c '…'`), that shell expands the
/// reference, since it finds the variable in its own environment.
///
/// A command of plain words whose program exists needs no shell and is started directly. Everything that a shell might
/// treat specially goes to the shell of the dialect.
namespace grapnel {

/// The program to start, and its arguments with argv[0].
struct CommandLine {
  std::string path;
  std::vector<std::string> argv;
};

/// Where programs are found. A short hook spends most of its time starting its shell, so the user may name a shell that
/// starts faster.
struct CommandContext {
  std::string_view path_env;
  std::string_view cwd;
  os::ProgramPaths& programs;
  std::string_view small_shell = {};  ///< the path of a shell to use instead of `sh`, or ""
};

/// When to find out whether the kernel can start a program without a shell (it cannot start a script without `#!`): by
/// reading the file first, or by simply starting it. Starting costs nothing if it works; if it fails, the caller
/// prepares the command again with `BeforeStart`.
enum class Check : uint8_t { BeforeStart, ByStarting };

/// The program to start for `command`, the text of a hook in that dialect.
CommandLine prepare_command(std::string_view command, const Dialect& dialect, const CommandContext& context,
                            Check check);
/// Whether a start that failed with this `errno` is worth a second try with `Check::BeforeStart`.
bool is_for_shell(int error);

/// The command with every `$NAME` and `${NAME}` of the dialect's command variables quoted, so that its value stays one
/// word.
std::string quote_variables(std::string_view command, std::span<const VariableRow> variables);

}  // namespace grapnel
