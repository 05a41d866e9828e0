#include "os/files.h"

#include <fcntl.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include <sys/stat.h>

#include "os/lock.h"
#include "os/stamp_at.h"

namespace grapnel::os {
// Files are replaced in the usual way: write a temporary file in the same directory, set its mode, sync it if asked,
// and rename it over the old one. A reader sees the old or the new content, and if the program is killed at any point,
// the old file is intact.

namespace {

/// An errno as an error about a path. ELOOP comes from O_NOFOLLOW: the path is a link.
std::unexpected<Error> fail_path(const char* action, const std::string& path, int err = errno) {
  auto failure = fail_errno(std::string(action) + ' ' + path, err);
  if (err == ENOENT) failure.error().code = Errc::NotFound;
  if (err == ELOOP) failure.error().code = Errc::Refused;
  return failure;
}

/// Opens a path that must be a regular file. O_NONBLOCK keeps the open from waiting if it is a FIFO or a device.
Result<UniqueFd> open_regular(const std::string& path, int flags, mode_t mode = 0, size_t* size = nullptr) {
  UniqueFd fd(::open(path.c_str(), flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, mode));
  if (!fd && errno == ENXIO) return fail(Errc::Refused, path + " is not a regular file");
  if (!fd) return fail_path("cannot open", path);
  struct stat st;
  if (::fstat(fd.get(), &st) != 0) return fail_path("cannot inspect", path);
  if (!S_ISREG(st.st_mode)) return fail(Errc::Refused, path + " is not a regular file");
  if (size != nullptr) *size = st.st_size > 0 ? static_cast<size_t>(st.st_size) : 0;
  return fd;
}

/// A write may be interrupted or take only a part of the bytes, for example on a full disk.
Result<void> write_all(int fd, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail_path("cannot write", path);
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return {};
}

/// Refuses links: a rename would replace the link instead of the file that its owner meant.
Result<void> check_replaceable(const std::string& path) {
  struct stat st;
  if (::lstat(path.c_str(), &st) != 0) {
    if (errno == ENOENT) return {};
    return fail_path("cannot inspect", path);
  }
  if (S_ISREG(st.st_mode)) return {};
  return fail(Errc::Refused, path + (S_ISLNK(st.st_mode) ? " is a symbolic link" : " is not a regular file"));
}

/// The directory part of a path: `.` for a plain name.
std::string parent_of(const std::string& path) {
  const size_t slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

/// After a rename, the directory must be synced as well, or a power failure can bring the old file back.
Result<void> sync_directory(const std::string& path) {
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd || ::fsync(fd.get()) != 0) return fail_path("cannot sync", path);
  return {};
}

/// An existing directory is fine, also if another process has just made it.
Result<void> make_dir(const std::string& path, mode_t mode) {
  if (::mkdir(path.c_str(), mode) == 0) return {};
  const int err = errno;
  struct stat st;
  if (::stat(path.c_str(), &st) == 0 && S_ISDIR(st.st_mode)) return {};
  return fail_path("cannot make directory", path, err);
}

}  // namespace

TemporaryFile::TemporaryFile(const std::string& prefix) : path_(prefix + ".XXXXXX") {
  fd_ = UniqueFd(::mkostemp(path_.data(), O_CLOEXEC));
}

TemporaryFile::~TemporaryFile() {
  if (fd_ && !placed_) ::unlink(path_.c_str());
}

bool TemporaryFile::rename_to(const std::string& target) {
  placed_ = ::rename(path_.c_str(), target.c_str()) == 0;
  return placed_;
}

/// Does not trust the size that the file reports: reads until the end, and stops when the limit is passed.
Result<std::string> read_file(const std::string& path, size_t max_bytes) {
  size_t size = 0;  // to begin with; the file may grow or shrink meanwhile
  auto fd = open_regular(path, O_RDONLY, 0, &size);
  if (!fd) return std::unexpected(fd.error());
  std::string content;
  // One byte more than the file reports, so that a file over the limit is noticed. Files in /proc report the size 0;
  // the loop reads them all the same.
  size_t room = std::min(size, max_bytes) + 1;
  for (size_t length = 0;;) {
    content.resize(length + room);
    const ssize_t n = ::read(fd->get(), content.data() + length, room);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail_path("cannot read", path);
    length += static_cast<size_t>(n);
    if (length > max_bytes) {
      return fail(Errc::LimitExceeded, path + " is larger than " + std::to_string(max_bytes) + " bytes");
    }
    if (n == 0) {
      content.resize(length);
      return content;
    }
    room = std::max<size_t>(room - static_cast<size_t>(n), 4096);
  }
}

Result<void> write_file_atomic(const std::string& path, std::string_view content, mode_t mode, Durability durability) {
  if (auto ok = check_replaceable(path); !ok) return ok;
  TemporaryFile file(path);
  if (!file.is_open()) return fail_path("cannot create a file beside", path);
  if (auto ok = write_all(file.fd(), content, path); !ok) return ok;
  if (::fchmod(file.fd(), mode) != 0) return fail_path("cannot set the mode of", path);
  if (durability == Durability::Synced && ::fsync(file.fd()) != 0) return fail_path("cannot sync", path);
  if (!file.rename_to(path)) return fail_path("cannot replace", path);
  return durability == Durability::Synced ? sync_directory(parent_of(path)) : Result<void>{};
}

/// Root may write any file, so the mode is checked as well: a file that nobody may write was made read-only on purpose.
Result<void> rewrite_file(const std::string& path, std::string_view content, Durability durability) {
  const std::unique_ptr<char, decltype(&std::free)> target(::realpath(path.c_str(), nullptr), &std::free);
  struct stat st;
  if (!target || ::stat(target.get(), &st) != 0) return fail_path("cannot find", path);
  if (!S_ISREG(st.st_mode)) return fail(Errc::Refused, path + " is not a regular file");
  constexpr mode_t kWritable = S_IWUSR | S_IWGRP | S_IWOTH;
  if ((st.st_mode & kWritable) == 0 || ::access(target.get(), W_OK) != 0) {
    return fail(Errc::Refused, path + " is read-only");
  }
  TemporaryFile file(target.get());
  if (!file.is_open()) return fail_path("cannot create a file beside", path);
  if (auto ok = write_all(file.fd(), content, path); !ok) return ok;
  // A temporary file belongs to us; it must get the old owner before it takes the place of the old file.
  const bool is_others = st.st_uid != ::geteuid() || st.st_gid != ::getegid();
  if (is_others && ::fchown(file.fd(), st.st_uid, st.st_gid) != 0) return fail_path("cannot keep the owner of", path);
  if (::fchmod(file.fd(), st.st_mode & 07777) != 0) return fail_path("cannot set the mode of", path);
  if (durability == Durability::Synced && ::fsync(file.fd()) != 0) return fail_path("cannot sync", path);
  if (!file.rename_to(target.get())) return fail_path("cannot replace", path);
  return durability == Durability::Synced ? sync_directory(parent_of(target.get())) : Result<void>{};
}

Result<void> make_dirs(const std::string& path, mode_t mode) {
  struct stat there;
  if (::stat(path.c_str(), &there) == 0 && S_ISDIR(there.st_mode)) return {};  // the usual case
  for (size_t at = path.find('/', 1); at != std::string::npos; at = path.find('/', at + 1)) {
    if (auto ok = make_dir(path.substr(0, at), mode); !ok) return ok;
  }
  return path.ends_with('/') ? Result<void>{} : make_dir(path, mode);
}

Result<void> make_parent_dirs(const std::string& path, mode_t mode) {
  return make_dirs(parent_of(path), mode);
}

Result<UniqueFd> open_append(const std::string& path, mode_t mode) {
  return open_regular(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, mode);
}

Result<void> append_file(const std::string& path, std::string_view content, mode_t mode) {
  const auto fd = open_append(path, mode);
  return fd ? write_all(fd->get(), content, path) : std::unexpected(fd.error());
}

Result<UniqueFd> lock_file(const std::string& path, std::chrono::milliseconds timeout) {
  // Whoever removes a lock file holds its lock. A lock that was waited for meanwhile is that of no file.
  for (;;) {
    auto fd = open_regular(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0600);
    if (!fd) return fd;
    if (auto locked = lock(fd->get(), timeout); !locked) return fail_path("cannot lock", path, locked.error().sys);
    struct stat own{};
    if (::fstat(fd->get(), &own) != 0 || own.st_nlink > 0) return fd;
  }
}

std::optional<FileStamp> stamp(const std::string& path) {
  return stamp_at(-1, path.c_str());
}

}  // namespace grapnel::os
