#include "call/program_place.h"

#include <unistd.h>

#include <optional>

#include <sys/stat.h>

#include "call/path_name.h"

namespace grapnel::call {

namespace {

/// Whether only the owner may write it, and the owner is root or this user.
bool is_closed(const std::string& path) {
  struct stat found{};
  if (::stat(path.c_str(), &found) != 0) return false;
  const bool is_owned = found.st_uid == 0 || found.st_uid == ::geteuid();
  return is_owned && (found.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/// Whether the file, or the link, was written, moved or given other rights since then. Nobody can set this time back.
bool is_changed_since(const std::string& path, int64_t since_ms) {
  struct stat found{};
  if (::lstat(path.c_str(), &found) != 0) return true;
  return int64_t{found.st_ctim.tv_sec} * 1000 + found.st_ctim.tv_nsec / 1'000'000 >= since_ms;
}

bool is_executable(const std::string& path) {
  struct stat found{};
  return ::stat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

std::string directory_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == 0 || slash == std::string::npos ? "/" : path.substr(0, slash);
}

/// The first file of that name. Nothing if there is none, or if an entry of PATH depends on the current directory: then
/// another file may come first by the time the command runs.
std::optional<std::string> find_in_path(std::string_view name, std::string_view path) {
  while (true) {
    const size_t colon = path.find(':');
    const std::string entry(path.substr(0, colon));
    if (!entry.starts_with('/')) return std::nullopt;
    std::string file = entry + "/" + std::string(name);
    if (is_executable(file)) return file;
    if (colon == std::string_view::npos) return std::nullopt;
    path.remove_prefix(colon + 1);
  }
}

}  // namespace

bool is_usual_program(std::string_view name, const ProgramSearch& search) {
  std::optional<std::string> found;
  if (name.starts_with('/')) {
    found = std::string(name);
  } else if (!name.contains('/')) {
    found = find_in_path(name, search.env.get("PATH"));
  }
  if (!found || !is_executable(*found)) return false;
  const std::string real = without_links(*found);
  for (const std::string& file : {*found, real}) {
    const bool is_inside = (!search.project.empty() && is_below(file, search.project)) ||
                           (!search.real_project.empty() && is_below(file, search.real_project));
    if (is_inside || !is_closed(file) || !is_closed(directory_of(file))) return false;
    if (search.since_ms != 0 && is_changed_since(file, search.since_ms)) return false;
    if (search.is_written && search.is_written(file)) return false;
  }
  return true;
}

}  // namespace grapnel::call
