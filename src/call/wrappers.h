#pragma once

#include <string>
#include <vector>

#include "call/call.h"

/// Programs that run other programs.
namespace grapnel::call {

using shell::Feed;
using shell::Inner;

/// What `command` runs; empty when it is no wrapper. Code that cannot be read is an unknown command.
std::vector<Inner> unwrap(const SimpleCommand& command, const Feed& feed);

/// Code handed to programs that are no shells but can start programs: interpreters, `tar --to-command`, `git -c`.
std::vector<Inner> unwrap_code(const SimpleCommand& command, const Feed& feed);

/// Words as a script's text. Gaps become an expansion there, and since they may hold anything, an unknown command is
/// added to `found`.
void add_script(const std::vector<Word>& words, const std::string& wrapper, std::vector<Inner>& found);

/// Adds the unknown command.
void add_unknown(const std::string& wrapper, std::vector<Inner>& found);

}  // namespace grapnel::call
