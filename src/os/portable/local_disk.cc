#include "os/path_steps.h"

/// POSIX does not tell what kind of file system a path is on; one that is not known to be local counts as not local.
namespace grapnel::os {

bool is_local(const std::string&) {
  return false;
}

}  // namespace grapnel::os
