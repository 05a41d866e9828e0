#include "os/resolve.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include <sys/stat.h>

#include "base/text.h"

namespace grapnel::os {
namespace {

std::string join(std::string_view directory, std::string_view name) {
  std::string path(directory);
  if (!path.empty() && !path.ends_with('/')) path += '/';
  return path.append(name);
}

/// A relative directory in PATH is relative to the directory in which the hook runs, not to ours.
std::string absolute(std::string_view path, std::string_view cwd) {
  return path.starts_with('/') ? std::string(path) : join(cwd, path);
}

/// Whether all directories of a PATH are absolute. Otherwise the result depends on the current directory and must not
/// be remembered.
bool is_same_everywhere(std::string_view path_env) {
  return std::ranges::all_of(text::split(path_env, ':'),
                             [](std::string_view directory) { return directory.starts_with('/'); });
}

/// Asks for the effective user, since that is who will start it.
bool is_executable_file(const std::string& path) {
  struct stat st;
  return ::stat(path.c_str(), &st) == 0 && S_ISREG(st.st_mode) &&
         ::faccessat(AT_FDCWD, path.c_str(), X_OK, AT_EACCESS) == 0;
}

}  // namespace

std::optional<std::string> find_executable(std::string_view name, std::string_view path_env, std::string_view cwd) {
  if (name.empty() || name.find('\0') != std::string_view::npos) return std::nullopt;
  if (name.contains('/')) {
    std::string path = absolute(name, cwd);
    if (::access(path.c_str(), F_OK) != 0) return std::nullopt;
    return path;
  }
  for (std::string_view directory : text::split(path_env, ':')) {
    std::string path = join(absolute(directory, cwd), name);
    if (is_executable_file(path)) return path;
  }
  return std::nullopt;
}

/// Names with a slash need no search, so they are not remembered.
std::optional<std::string> ProgramPaths::find(std::string_view name, std::string_view path_env, std::string_view cwd) {
  if (name.contains('/')) return find_executable(name, path_env, cwd);
  const std::lock_guard lock(mutex_);
  if (const auto names = by_path_.find(path_env); names != by_path_.end()) {
    if (const auto known = names->second.find(name); known != names->second.end()) return known->second;
  }
  auto path = find_executable(name, path_env, cwd);
  if (path && is_same_everywhere(path_env)) keep(name, path_env, *path);
  return path;
}

void ProgramPaths::keep(std::string_view name, std::string_view path_env, const std::string& path) {
  constexpr size_t kMaxKept = 256;
  // The limit is only a safeguard, so dropping everything is good enough.
  if (by_path_.size() >= kMaxKept) by_path_.clear();
  ByName& names = by_path_.try_emplace(std::string(path_env)).first->second;
  if (names.size() >= kMaxKept) names.clear();
  names.emplace(name, path);
}

void ProgramPaths::forget() {
  const std::lock_guard lock(mutex_);
  by_path_.clear();
}

}  // namespace grapnel::os
