#pragma once

#include <string>

namespace grapnel::os {

/// What the linker called the program or library that this code is in; "" when it gave it no name. Two builds with the
/// same one are the same.
std::string build_id();

}  // namespace grapnel::os
