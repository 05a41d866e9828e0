#include "discover/find/worktree.h"

#include <filesystem>

#include "base/text.h"
#include "os/files.h"
#include "trust/trust_store.h"

namespace grapnel {

namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxPointer = 8192;  ///< bytes of a file that contains one path

/// The path that a file of git contains, relative to the directory of that file; "" if it cannot be read.
std::string path_in(const std::string& directory, std::string_view name, std::string_view prefix = {}) {
  const auto content = os::read_file(directory + "/" + std::string(name), kMaxPointer);
  if (!content) return "";
  std::string_view path = text::trim(*content);
  if (!path.starts_with(prefix)) return "";
  path = text::trim(path.substr(prefix.size()));
  return path.empty() ? "" : (fs::path(directory) / path).lexically_normal().string();
}

}  // namespace

std::string main_worktree_of(const std::string& directory) {
  // In most directories `.git` is a directory or missing, and then the first read fails.
  const std::string own = path_in(directory, ".git", "gitdir:");
  if (own.empty()) return "";
  const std::string back = path_in(own, "gitdir");
  if (back.empty() || canonical_directory(back) != canonical_directory(directory) + "/.git") return "";
  const fs::path common = canonical_directory(path_in(own, "commondir"));
  return common.filename() == ".git" ? common.parent_path().string() : "";
}

bool has_linked_worktrees(const std::string& directory) {
  std::error_code error;
  return fs::is_directory(directory + "/.git/worktrees", error) && !fs::is_empty(directory + "/.git/worktrees", error);
}

}  // namespace grapnel
