#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grapnel/error.h"

#include "cli/command.h"

namespace grapnel::cli {

/// Another of our programs, the one beside this or else the one in PATH. Fails: NotFound.
Result<std::string> find_sibling(const Environment& env, std::string_view program);

/// Becomes another of our programs, if it can be found; returns only when that cannot be.
int become_sibling(Invocation& in, std::string_view program, std::vector<std::string> words);

}  // namespace grapnel::cli
