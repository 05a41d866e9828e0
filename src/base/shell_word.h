#pragma once

#include <string>
#include <string_view>

namespace grapnel {

/// The text as one word of a shell, inside single quotes.
std::string quote_word(std::string_view text);

/// The same, without quotes where no shell needs them.
std::string shell_word(std::string_view text);

}  // namespace grapnel
