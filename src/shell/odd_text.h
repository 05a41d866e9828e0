#pragma once

#include <string_view>

/// Characters that make a text look like another text. Such a text may be a disguise, so its words count as dynamic.
namespace grapnel::shell {

/// Whether the text contains invisible, control or direction characters, letters of other scripts that look Latin,
/// full-width and mathematical letters, dashes that look like `-`, or bytes that are not UTF-8.
bool has_odd_characters(std::string_view text);

/// Whether the text contains any byte that is not printable ASCII. That is odd in the name of a program.
bool has_foreign_characters(std::string_view text);

}  // namespace grapnel::shell
