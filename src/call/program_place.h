#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/environment.h"

/// Which file a program's name leads to, and whether it can be relied on to be that program.
namespace grapnel::call {

/// What is asked about: the variables that programs are found by, and the places that an agent may write to.
struct ProgramSearch {
  const Environment& env;
  std::string project;                                 ///< nothing below it is relied on
  std::string real_project;                            ///< the same with links resolved
  std::function<bool(const std::string&)> is_written;  ///< whether this turn of the session has written this file
  int64_t since_ms = 0;  ///< when the session started, in milliseconds since the epoch; 0 if nobody knows
};

/// Whether the name is found by PATH, outside of the project, in a file and in directories that neither a group nor
/// others may write, and that have not been changed since the session started. A name with a slash has to be absolute,
/// and is looked at in the same way. Builtins of shells are not asked about here. Looks at the disk.
bool is_usual_program(std::string_view name, const ProgramSearch& search);

}  // namespace grapnel::call
