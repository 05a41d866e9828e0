#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "grapnel/error.h"

#include "cli/command.h"

namespace grapnel::cli {

/// Another of our programs, the one beside this or else the one in PATH. Fails: NotFound.
Result<std::string> find_helper_program(const Environment& env, std::string_view program);

/// What another of our programs prints. Fails: NotFound when it is not
/// installed; Unavailable, with what it says, when it fails or takes too long.
Result<std::string> run_helper_program(const Environment& env, std::string_view program, std::vector<std::string> words,
                                       std::chrono::milliseconds patience);

/// Becomes another of our programs, if it can be found; returns only when that cannot be.
int become_helper_program(Invocation& in, std::string_view program, std::vector<std::string> words);

}  // namespace grapnel::cli
