#pragma once

#include <optional>
#include <string_view>

#include "shell/parse.h"

/// Commands of plain words need no grammar.
namespace grapnel::shell {

/// The next word of plain characters from `at` on, which moves behind it; "" at the end of the text. Nothing when the
/// word holds a character that a shell might treat specially, wherever it stands.
std::optional<std::string_view> next_plain_word(std::string_view text, size_t& at);

/// The command when the text is nothing but plain words on one line: no quotes, expansions, operators, redirections,
/// globs, assignments in front or reserved words. The grammar gives the same for such text.
std::optional<SimpleCommand> split_plain(std::string_view text);

}  // namespace grapnel::shell
