#pragma once

#include <vector>

#include "call/call.h"

/// Texts that a shell may read a second time.
///
/// `x='"rm" -{r,f} y'; eval "$x"` hands text to `eval` that nobody follows to its end: through variables, `set`,
/// `read`, arguments of functions, files. But it stands in the command line. Read as commands, with quotes removed and
/// braces expanded, it says what may run.
namespace grapnel::call {

/// The commands in all words of the text that are more than a plain word, if something in the text runs code that is
/// not known; otherwise none. They have no place in the text.
std::vector<SimpleCommand> read_again(const ParsedCommand& parsed);

}  // namespace grapnel::call
