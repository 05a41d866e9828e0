#pragma once

#include <string>
#include <vector>

#include "call/call.h"

/// Wrappers that nobody has heard of.
///
/// `mytool --fast rm -r build` may run rm, or have a subcommand of that name. A program that is in no table here is not
/// trusted to do the latter: if the words behind it, or one word with blanks in it, look like a command that a rule is
/// about, the rule is in doubt. Programs that are known to take text (echo, grep, `git commit -m`) are left alone.
namespace grapnel::call {

/// The commands that the words behind an unknown program may be, as far as their program is the first word of one of
/// these patterns. Empty for a known program.
std::vector<SimpleCommand> guesses_of(const SimpleCommand& command,
                                      const std::vector<std::vector<std::string>>& patterns);

}  // namespace grapnel::call
