#include "os/path_watch.h"

/// POSIX does not tell what changes: the caller looks at the files itself.
namespace grapnel::os {

bool PathWatch::watch(const std::vector<std::string>&) {
  return false;
}

bool PathWatch::has_news() {
  return true;
}

}  // namespace grapnel::os
