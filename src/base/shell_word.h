#pragma once

#include <string>
#include <string_view>

namespace grapnel {

/// The text as one word for a shell, in single quotes.
std::string quote_word(std::string_view text);

/// The same, but without quotes if no shell needs them.
std::string shell_word(std::string_view text);

}  // namespace grapnel
