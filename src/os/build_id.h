#pragma once

#include <string>

namespace grapnel::os {

/// The id that the linker gave to the program or library that contains this code, or "" if it gave none. Two builds
/// with the same id are identical.
std::string build_id();

}  // namespace grapnel::os
