#pragma once

#include <string_view>

#include "shell/syntax.h"

/// A second opinion on where words, quotes, comments and here-documents end. The grammar is made for editors: it reads
/// `$'\\'` past its end, and who knows that could hide a command inside what looks like a string. While every leaf
/// ends where a shell ends it, the next one starts in the right place too.
namespace grapnel::shell {

/// Every leaf of the tree is what a shell would read there.
bool agrees_with_shell(std::string_view text, const Syntax& syntax);

}  // namespace grapnel::shell
