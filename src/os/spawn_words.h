#pragma once

#include <span>
#include <string>
#include <vector>

#include "os/spawn.h"

/// What both ways to start a program have in common (spawn.cc, portable/spawn.cc).
namespace grapnel::os {

/// The array of pointers that exec wants. Fails if a string contains a NUL byte, because it would arrive cut short.
Result<std::vector<char*>> pointers_to(std::span<const std::string> strings);
/// Why a program could not be executed, in words.
std::unexpected<Error> cannot_run(const SpawnSpec& spec, int error);

}  // namespace grapnel::os
