#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace grapnel {

/// What trusting a command cannot pin, in words for a person: programs that decide by themselves what they run
/// (`npm test`, `make`), modules an interpreter looks for, code that is made or fetched at run time. Empty when nothing
/// of that kind is seen.
std::vector<std::string> open_ends(std::string_view command);

}  // namespace grapnel
