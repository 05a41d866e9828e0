#pragma once

#include <optional>
#include <string_view>

#include "shell/parse.h"

/// Commands of plain words need no grammar.
namespace grapnel::shell {

/// The word means more than a program's name where a command starts.
bool is_reserved(std::string_view word);

/// The command when the text is nothing but plain words on one line: no quotes, expansions, operators, redirections,
/// globs, assignments in front or reserved words. The grammar gives the same for such text.
std::optional<SimpleCommand> split_plain(std::string_view text);

}  // namespace grapnel::shell
