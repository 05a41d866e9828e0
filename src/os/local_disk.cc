#include <algorithm>
#include <array>

#include <linux/magic.h>
#include <sys/vfs.h>

#include "os/path_steps.h"

namespace grapnel::os {

bool is_local(const std::string& path) {
  // A list of file systems that are known to be local. An unknown one counts as not local, which is slower but safe.
  constexpr long kXfs = 0x58465342;
  constexpr auto kLocal =
      std::to_array<long>({EXT4_SUPER_MAGIC, BTRFS_SUPER_MAGIC, F2FS_SUPER_MAGIC, TMPFS_MAGIC, kXfs});
  struct statfs disk;
  return ::statfs(path.c_str(), &disk) == 0 && std::ranges::find(kLocal, disk.f_type) != kLocal.end();
}

}  // namespace grapnel::os
