#pragma once

#include <optional>
#include <string>

#include "shell/parse.h"
#include "shell/word_scan.h"

/// What commands print, as far as it can be told from their words: `$(echo rm)`, `printf 'r%s' m | sh`.
namespace grapnel::shell {

/// Whether it depends on the running shell, or on the disk, what the word is.
bool is_uncertain(const Word& word);

/// The text that `echo` and `printf` print. Nothing for other programs, and when it is not known.
std::optional<std::string> text_of(const SimpleCommand& command);

/// What programs print that take names apart or look for them: `basename`, `which`, `pwd`.
std::optional<Output> named_by(const SimpleCommand& command, const Variables& variables);

}  // namespace grapnel::shell
