#pragma once

#include <string>

namespace grapnel::agent {

/// A random UUID, version 4.
std::string new_id();

}  // namespace grapnel::agent
