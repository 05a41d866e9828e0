#pragma once

#include <string>

namespace grapnel::agent {

/// A random UUID, version 4. Sessions use it as it is; subagents use its first digits.
std::string new_id();

}  // namespace grapnel::agent
