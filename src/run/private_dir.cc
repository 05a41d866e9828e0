#include "run/private_dir.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

#include <sys/stat.h>

#include "base/clock.h"
#include "base/unique_fd.h"

namespace grapnel {
namespace {

/// A file takes at least this much, so that many empty ones are something, too.
constexpr uint64_t kLeastPerFile = 4096;
/// No program builds deeper trees; each level holds a descriptor while it is read.
constexpr int kMaxDepth = 100;
/// A process that was left behind may go on writing for ever.
constexpr std::chrono::seconds kPatience{30};

/// The directory with this name, and not what a link leads to. Its owner may have taken away the right to read it, so
/// the mode is changed then: by the place that is open, because the name may mean something else by now.
UniqueFd open_inside(int directory, const char* name) {
  constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  constexpr mode_t kForOwner = 0700;
  UniqueFd out(::openat(directory, name, kFlags));
  if (out && ::faccessat(directory, name, R_OK | W_OK | X_OK, AT_SYMLINK_NOFOLLOW) == 0) return out;
  const UniqueFd place(::openat(directory, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!place) return {};
  static_cast<void>(::chmod(("/proc/self/fd/" + std::to_string(place.get())).c_str(), kForOwner));
  return UniqueFd(::openat(directory, name, kFlags));
}

/// Calls `take` for every entry: its name, and whether it is a directory.
template <typename Take>
void for_each_entry(int directory, Take take) {
  const int copy = ::fcntl(directory, F_DUPFD_CLOEXEC, 0);
  const std::unique_ptr<DIR, int (*)(DIR*)> list(copy < 0 ? nullptr : ::fdopendir(copy), ::closedir);
  if (!list && copy >= 0) ::close(copy);
  if (list) ::rewinddir(list.get());  // the copy shares its position
  while (const dirent* entry = list ? ::readdir(list.get()) : nullptr) {
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    struct stat info{};
    if (::fstatat(directory, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
    take(entry->d_name, info);
  }
}

void add_bytes(int directory, int depth, uint64_t enough, uint64_t& bytes) {
  for_each_entry(directory, [&](const char* name, const struct stat& info) {
    if (bytes > enough) return;
    bytes += std::max(static_cast<uint64_t>(info.st_blocks) * kStatBlock, kLeastPerFile);
    if (!S_ISDIR(info.st_mode)) return;
    const UniqueFd inside = depth < kMaxDepth ? open_inside(directory, name) : UniqueFd();
    if (inside) {
      add_bytes(inside.get(), depth + 1, enough, bytes);
    } else if (depth >= kMaxDepth) {
      bytes = enough + 1;  // what is below cannot be seen
    }
  });
}

/// Removes what is in the directory. What is deeper is moved up first, so that no tree is too deep.
/// False if nothing could be removed or moved.
bool remove_inside(int root) {
  uint64_t moved = 0;
  bool has_done = false;
  std::vector<std::string> names;
  for_each_entry(root, [&](const char* name, const struct stat&) { names.emplace_back(name); });
  for (const std::string& name : names) {
    if (::unlinkat(root, name.c_str(), 0) == 0) {
      has_done = true;
      continue;
    }
    const UniqueFd inside = open_inside(root, name.c_str());
    if (!inside) continue;
    std::vector<std::string> below;
    for_each_entry(inside.get(), [&](const char* one, const struct stat&) { below.emplace_back(one); });
    for (const std::string& one : below) {
      if (::unlinkat(inside.get(), one.c_str(), 0) == 0) continue;
      // A directory without rights for its owner cannot be moved, because its `..` changes.
      if (!open_inside(inside.get(), one.c_str())) continue;
      std::string target;
      do {
        target = "moved-" + std::to_string(moved++);
      } while (::faccessat(root, target.c_str(), F_OK, AT_SYMLINK_NOFOLLOW) == 0);
      has_done |= ::renameat(inside.get(), one.c_str(), root, target.c_str()) == 0;
    }
    has_done |= ::unlinkat(root, name.c_str(), AT_REMOVEDIR) == 0;
  }
  return has_done;
}

}  // namespace

std::shared_ptr<const PrivateDir> PrivateDir::make(const std::string& base) {
  std::string path = base + "/grapnel-hook-XXXXXX";
  if (::mkdtemp(path.data()) == nullptr) return nullptr;
  return std::shared_ptr<const PrivateDir>(new PrivateDir(std::move(path)));
}

PrivateDir::~PrivateDir() {
  // Usually it is empty.
  if (::rmdir(path_.c_str()) == 0) return;
  const UniqueFd root = open_inside(AT_FDCWD, path_.c_str());
  const Deadline give_up = SteadyClock::now() + kPatience;
  while (root && remove_inside(root.get()) && SteadyClock::now() < give_up) {
  }
  ::rmdir(path_.c_str());
}

uint64_t PrivateDir::bytes(uint64_t enough) const {
  uint64_t bytes = 0;
  const UniqueFd root = open_inside(AT_FDCWD, path_.c_str());
  if (root) add_bytes(root.get(), 0, enough, bytes);
  return bytes;
}

}  // namespace grapnel
