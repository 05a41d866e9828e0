#include "os/tag.h"

/// POSIX has no mark that children inherit and other processes can read: only the process group is ended. What has left
/// it goes on (docs/platforms.md).
namespace grapnel::os {

bool can_tag() {
  return false;
}

Tag new_tag(const Calls&) {
  return {};
}

bool has_tag(const rlimit64&, const Tag&) {
  return false;
}

std::vector<Remaining> find_tagged(const Tag&, pid_t, const Calls&) {
  return {};
}

std::vector<pid_t> tagged_ids(const Tag&, pid_t, size_t, const Calls&) {
  return {};
}

bool end_tagged(const Tag&, pid_t, Deadline, const Calls&) {
  return true;
}

}  // namespace grapnel::os
