#pragma once

#include <string>

#include "call/call.h"

/// The tests of `find`: which files below a directory does it list?
namespace grapnel::protect {

/// A file that `find` may come across.
struct Candidate {
  std::string path;        ///< absolute
  std::string root;        ///< absolute: the directory in which find starts
  std::string as_printed;  ///< the root as it is spelled in the command; `-path` compares it
  bool is_directory = false;
};

/// Whether this `find` prints the file or does something to it. Tests that are not worked out here, such as `-perm`,
/// lead to `Maybe`.
call::Certainty finds(const shell::SimpleCommand& find, const Candidate& file);

/// Whether the names in its tests single the file out: a file of another name in the same place is not found.
bool singles_out(const shell::SimpleCommand& find, const Candidate& file);

}  // namespace grapnel::protect
