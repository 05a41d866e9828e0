#pragma once

#include <string_view>

/// Characters that make text look like other text.
namespace grapnel::shell {

/// Invisible, control or direction characters, letters of other scripts that look Latin, full-width and mathematical
/// letters, dashes that look like `-`, bytes that are not UTF-8.
bool has_odd_characters(std::string_view text);

/// Any byte that is not printable ASCII: odd in the name of a program.
bool has_foreign_characters(std::string_view text);

}  // namespace grapnel::shell
