#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"

namespace grapnel::cli {

/// Becomes another of our programs, the one beside this or else the one in PATH; returns only when that cannot be.
int become_sibling(Invocation& in, std::string_view program, std::vector<std::string> words);

}  // namespace grapnel::cli
