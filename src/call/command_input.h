#pragma once

#include <optional>
#include <string>

#include "dialect/dialect.h"

namespace grapnel::call {

/// The command in the input of a tool call.
struct CommandInput {
  std::string text;
  /// The input does not have the form that the agent documents: the command is spread over several members, is no text,
  /// or there is no telling where it is. Then the text has everything that may be one, a line for each, so it is good
  /// enough to deny and not to allow.
  bool is_odd = false;
};

/// The command that a call would run, or nothing. In the input of a shell every text may be a command if there is none
/// where it should be; other tools have one only under a name for commands.
std::optional<CommandInput> command_in(const Dialect& dialect, std::string_view tool, const Json& input, bool is_shell);

}  // namespace grapnel::call
