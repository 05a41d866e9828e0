#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace grapnel {

/// What cannot be pinned when a command is trusted, in words for people: programs that decide themselves what they run
/// (`npm test`, `make`), modules that an interpreter searches for, and code that is made or downloaded at run time.
/// Empty if the command contains nothing of that kind.
std::vector<std::string> open_ends(std::string_view command);

}  // namespace grapnel
