#include "os/build_id.h"

/// How a program is laid out in memory is not a matter of POSIX. Without an id, nothing is cached between runs.
namespace grapnel::os {

std::string build_id() {
  return "";
}

}  // namespace grapnel::os
