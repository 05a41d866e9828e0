#pragma once

#include <optional>
#include <string_view>

#include "shell/parse.h"

/// Most commands consist of plain words only. They are split here, without the grammar, which takes far longer.
namespace grapnel::shell {

/// The next word of plain characters, starting at `at`, which is moved behind the word. The word is empty at the end of
/// the text. Nothing if the word contains a character that a shell might treat specially in any position.
std::optional<std::string_view> next_plain_word(std::string_view text, size_t& at);

/// The command, if the text is nothing but plain words on one line: no quotes, expansions, operators, redirections,
/// globs, assignments in front, or reserved words. The grammar gives the same result for such a text, and a test
/// compares the two.
std::optional<SimpleCommand> split_plain(std::string_view text);

}  // namespace grapnel::shell
