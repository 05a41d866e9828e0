#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shell/parse.h"

/// Programs that run other programs.
namespace grapnel::shell {

/// What a command reads on its standard input, as far as the text tells.
struct Feed {
  bool is_there = false;            ///< something in the text feeds it
  std::optional<std::string> text;  ///< set when it is known
};

/// What a wrapper runs: a command, or the text of a script.
struct Inner {
  std::string wrapper;  ///< what runs it, as in SimpleCommand::wrappers; "" when its name is not known
  std::optional<std::string> script;
  SimpleCommand command;  ///< when there is no script
  bool is_open = false;   ///< words are added to its last command
  bool is_remote = false;
};

/// What `command` runs; empty when it is no wrapper. Code that cannot be read is an unknown command.
std::vector<Inner> unwrap(const SimpleCommand& command, const Feed& feed);

/// Code handed to programs that are no shells but can start programs: interpreters, `tar --to-command`, `git -c`.
std::vector<Inner> unwrap_code(const SimpleCommand& command, const Feed& feed);

/// Words as a script's text. Gaps become an expansion there, and since they may hold anything, an unknown command is
/// added to `found`.
void add_script(const std::vector<Word>& words, const std::string& wrapper, std::vector<Inner>& found);

/// Adds the unknown command.
void add_unknown(const std::string& wrapper, std::vector<Inner>& found);

}  // namespace grapnel::shell
