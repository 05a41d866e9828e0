#pragma once

#include <string_view>

#include "shell/syntax.h"

/// A second opinion on where words, quotes, comments and here-documents end. The grammar is made for editors, and it
/// makes mistakes: for example, it reads `$'\\'` past its end. Somebody who knows such a mistake could hide a command
/// inside text that looks like a string. If every leaf of the tree ends where a shell would end it, the next leaf
/// starts in the right place too, and nothing can be hidden.
namespace grapnel::shell {

/// Whether every leaf of the tree is what a shell would read in its place.
bool agrees_with_shell(std::string_view text, const Syntax& syntax);

}  // namespace grapnel::shell
