#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dialect/dialect.h"
#include "os/resolve.h"

/// A hook's command text into something to start.
///
/// Values never enter shell text. `$GEMINI_CWD` in a command becomes a reference to the variable of that name in the
/// child's environment, quoted as its place needs it (`"$GEMINI_CWD"` outside quotes and, closing and opening them
/// again, inside single quotes), so whatever a directory is called, it stays one word. In a program for another shell
/// (`sh -c '…'`) the reference is left to that shell, which finds the variable in its environment. A command of plain
/// words whose program exists needs no shell and is started directly; anything a shell might treat specially goes to
/// the dialect's shell.
namespace grapnel {

/// What to execute.
struct CommandLine {
  std::string path;
  std::vector<std::string> argv;
};

/// Where programs are found. Most of what a short hook takes is the start of its shell, so the user may name one that
/// is made to start fast.
struct CommandContext {
  std::string_view path_env;
  std::string_view cwd;
  os::ProgramPaths& programs;
  std::string_view small_shell = {};  ///< to use in place of `sh`, by its path; "" is none
};

/// When to find out that a program which could go without a shell is not one that the kernel starts by itself: a script
/// without `#!` is the shell's business. Trying costs nothing when it works.
enum class Check : uint8_t { BeforeStart, ByStarting };

/// `command` as written in a hook of that dialect.
CommandLine prepare_command(std::string_view command, const Dialect& dialect, const CommandContext& context,
                            Check check);
/// Whether a start that failed with that error is one that `Check::BeforeStart` might have seen coming.
bool is_for_shell(int error);

/// The command with every `$NAME` and `${NAME}` of the dialect's command variables made one word wherever it stands.
std::string quote_variables(std::string_view command, std::span<const VariableRow> variables);

}  // namespace grapnel
