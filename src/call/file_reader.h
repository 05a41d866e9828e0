#pragma once

#include <vector>

#include "call/file_roles.h"

namespace grapnel::call {

/// Adds the files that the operands and options of one command name. The command has a program.
void read_files(const SimpleCommand& command, std::vector<PathUse>& out);

}  // namespace grapnel::call
