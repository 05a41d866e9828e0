#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "call/call.h"

/// Texts that a shell may read a second time.
///
/// `x='"rm" -{r,f} y'; eval "$x"` hands text to `eval` that nobody follows to its end: through variables, `set`,
/// `read`, arguments of functions, files. But it stands in the command line. Read as commands, with quotes removed and
/// braces expanded, it says what may run.
namespace grapnel::call {

struct SecondReading {
  std::string text;      ///< the texts that were read, one on each line
  ParsedCommand parsed;  ///< their commands; they have no place in the command line
};

/// All words of the command line that may be more than a plain word, read as commands, if something in it runs code
/// that is not known; otherwise nothing. Where the grammar gave up on `text`, its pieces are read, too.
std::optional<SecondReading> read_again(std::string_view text, const ParsedCommand& parsed);

}  // namespace grapnel::call
