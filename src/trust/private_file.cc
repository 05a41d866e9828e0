#include "trust/private_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include <sys/stat.h>

#include "base/error.h"
#include "os/files.h"

namespace grapnel {

namespace {

std::string directory_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

/// All refusals name the path, because the user has to repair it.
std::unexpected<Error> refuse(const std::string& path, const char* why) {
  return fail(Errc::Refused, path + ": " + why);
}

/// Read access for others is refused, too: the file must be private.
Result<void> check_file(const std::string& path, const struct stat& info) {
  if (!S_ISREG(info.st_mode)) return refuse(path, "this must be a regular file");
  if (info.st_uid != ::geteuid()) return refuse(path, "this file belongs to another user");
  if ((info.st_mode & 077) != 0) {
    return refuse(path, "this file is open to others; run `chmod 600` on it after checking it");
  }
  return {};
}

/// Whoever may write to a directory above can move this one away and put another in its place. A directory with the
/// sticky bit, such as /tmp, is different: there only the owner of an entry can move it, and that is the user, because
/// an entry of somebody else is refused. Missing directories are skipped; they will be created with the right mode.
/// Sets `has_link` if one of them is a link.
Result<void> check_parents(const std::string& directory, bool& has_link) {
  for (std::string parent = directory_of(directory); parent != "."; parent = directory_of(parent)) {
    struct stat info{};
    bool is_there = ::lstat(parent.c_str(), &info) == 0;
    if (is_there && S_ISLNK(info.st_mode)) {
      has_link = true;
      is_there = ::stat(parent.c_str(), &info) == 0;
    }
    if (is_there && (info.st_mode & S_IWOTH) != 0 && (info.st_mode & S_ISVTX) == 0) {
      return refuse(parent, "everybody may write to this directory and replace what is in it; run `chmod o-w` on it");
    }
    if (parent == "/") break;
  }
  return {};
}

}  // namespace

/// The directory matters as much as the file: whoever may write to it can replace the file. The parents are checked
/// under the name that was given and under the real one, since a link may lead to another place. Usually there is no
/// link, and the name is the real one.
Result<void> check_private_directory(const std::string& path) {
  const std::string directory = directory_of(path);
  bool has_link = false;
  if (auto safe = check_parents(directory, has_link); !safe) return safe;
  struct stat info{};
  const bool is_there = ::lstat(directory.c_str(), &info) == 0;
  const int why_not = errno;
  const bool is_link = is_there && S_ISLNK(info.st_mode);
  const bool is_real = !has_link && !is_link && directory.starts_with('/') &&
                       std::filesystem::path(directory).lexically_normal() == directory;
  if (!is_real) {
    const std::unique_ptr<char, decltype(&std::free)> real(::realpath(directory.c_str(), nullptr), &std::free);
    if (real != nullptr && real.get() != directory) {
      if (auto safe = check_parents(real.get(), has_link); !safe) return safe;
    }
  }
  if (!is_there) {
    // It will be created with the right mode.
    if (why_not == ENOENT) return {};
    errno = why_not;
    return fail_errno(directory);
  }
  if (is_link) return refuse(directory, "this directory is a symbolic link, which is not safe here");
  if (!S_ISDIR(info.st_mode)) return refuse(directory, "this is not a directory");
  if (info.st_uid != ::geteuid()) return refuse(directory, "this directory belongs to another user");
  if ((info.st_mode & 022) != 0) {
    return refuse(directory, "others may write to this directory; run `chmod 700` on it after checking what is in it");
  }
  return {};
}

Result<UniqueFd> open_private_file(const std::string& path) {
  if (auto safe = check_private_directory(path); !safe) return std::unexpected(safe.error());
  // O_NOFOLLOW and O_NONBLOCK: the path may be a link or a pipe that somebody put there.
  UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW));
  if (!file && (errno == ENOENT || errno == ENOTDIR)) return UniqueFd();
  struct stat info{};
  if (!file || ::fstat(file.get(), &info) != 0) return fail_errno(path);
  if (auto safe = check_file(path, info); !safe) return std::unexpected(safe.error());
  return file;
}

Result<std::optional<std::string>> read_private_file(const std::string& path, size_t max_bytes) {
  if (auto safe = check_private_directory(path); !safe) return std::unexpected(safe.error());
  struct stat info{};
  if (::lstat(path.c_str(), &info) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return std::nullopt;
    return fail_errno(path);
  }
  if (auto safe = check_file(path, info); !safe) return std::unexpected(safe.error());
  return os::read_file(path, max_bytes);
}

Result<void> write_private_file(const std::string& path, std::string_view content, os::Durability durability) {
  // Created first and checked afterwards, since a directory that already existed keeps its mode.
  if (auto made = os::make_parent_dirs(path, 0700); !made) return made;
  if (auto safe = check_private_directory(path); !safe) return safe;
  return os::write_file_atomic(path, content, 0600, durability);
}

}  // namespace grapnel
