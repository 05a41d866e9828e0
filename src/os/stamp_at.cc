#include "os/stamp_at.h"

#include <fcntl.h>

#include <sys/stat.h>

namespace grapnel::os {

namespace {

int64_t nanoseconds(const timespec& time) {
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

/// O_PATH needs no permission to read the directory, only to go through it.
UniqueFd open_directory(const char* path) {
  return UniqueFd(::open(path, O_PATH | O_DIRECTORY | O_CLOEXEC));
}

std::optional<FileStamp> stamp_at(int directory, const char* name) {
  struct stat st;
  if (::fstatat(directory < 0 ? AT_FDCWD : directory, name, &st, 0) != 0) return std::nullopt;
  return FileStamp{st.st_dev, st.st_ino, st.st_size, nanoseconds(st.st_mtim), nanoseconds(st.st_ctim)};
}

}  // namespace grapnel::os
