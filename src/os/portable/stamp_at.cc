#include "os/stamp_at.h"

#include <fcntl.h>

#include <sys/stat.h>

namespace grapnel::os {

namespace {

int64_t nanoseconds_of(const timespec& time) {
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

/// A directory that may be gone through but not read cannot be a start here; the caller then takes whole paths.
UniqueFd open_directory(const char* path) {
  return UniqueFd(::open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

std::optional<FileStamp> stamp_at(int directory, const char* name) {
  struct stat st;
  if (::fstatat(directory < 0 ? AT_FDCWD : directory, name, &st, 0) != 0) return std::nullopt;
  return FileStamp{st.st_dev, st.st_ino, st.st_size, nanoseconds_of(st.st_mtim), nanoseconds_of(st.st_ctim)};
}

}  // namespace grapnel::os
