#pragma once

#include <string_view>
#include <vector>

/// What the table of options that mean the same knows; `has_flag` (`words.h`) uses it for one program.
namespace grapnel::call {

/// All spellings that an option has for some program, including `flag` itself.
std::vector<std::string_view> spellings_of(std::string_view flag);

}  // namespace grapnel::call
