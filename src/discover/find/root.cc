#include "discover/find/root.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include <sys/stat.h>

#include "base/environment.h"
#include "dialect/dialect.h"
#include "discover/find/worktree.h"
#include "os/files.h"
#include "trust/trust_store.h"

namespace grapnel {

namespace {

using Directories = std::vector<std::string>;

/// Whether `inner` is a directory below `outer`, judged by the names alone.
bool is_below(const std::string& inner, const std::string& outer) {
  const size_t size = outer == "/" ? 0 : outer.size();
  return inner.size() > size + 1 && inner.starts_with(outer) && inner[size] == '/';
}

/// The directories below `bound` on the way to `directory`, the outer first; only the directory itself if it is not
/// below.
Directories directories_below(const std::string& bound, const std::string& directory) {
  Directories out;
  if (is_below(directory, bound)) {
    const size_t from = bound == "/" ? 1 : bound.size() + 1;
    for (size_t end = directory.find('/', from); end != std::string::npos; end = directory.find('/', end + 1)) {
      out.push_back(directory.substr(0, end));
    }
  }
  out.push_back(directory);
  return out;
}

/// The paths of hook files in a project, in the tables of all agents. They are sorted, so that those in the same
/// directory are neighbours.
const std::vector<std::string_view>& project_paths() {
  static const std::vector<std::string_view> paths = [] {
    std::vector<std::string_view> out;
    for (const Dialect* dialect : all_dialects()) {
      for (const HookFilePlace& place : dialect->files.places) {
        if (place.base == PlaceBase::Project) out.push_back(place.path.substr(0, place.path.find(kEachDirectory)));
      }
    }
    std::ranges::sort(out);
    return out;
  }();
  return paths;
}

/// Whether a directory has hook files or a `.git`. Most directories have neither, so the directory of each agent is
/// looked for first.
bool has_mark(const std::string& directory) {
  const auto has = [&](std::string_view name) { return os::stamp(directory + "/" + std::string(name)).has_value(); };
  if (has(".git")) return true;
  std::string_view missing;
  for (const std::string_view path : project_paths()) {
    const std::string_view top = path.substr(0, path.find('/'));
    if (top == missing) continue;
    if (!has(top)) {
      missing = top;
    } else if (has(path)) {
      return true;
    }
  }
  return false;
}

/// Decides which directories others may write. "Others" are people who may not write the start of the search: whoever
/// may write there could put hook files there anyway.
class Owners {
 public:
  explicit Owners(const std::string& start) {
    if (::stat(start.c_str(), &start_) != 0) start_.st_uid = ::geteuid();
  }

  bool are_alone_in(const std::string& directory) const {
    struct stat info{};
    if (::stat(directory.c_str(), &info) != 0) return false;
    const bool is_ours = info.st_uid == 0 || info.st_uid == ::geteuid() || info.st_uid == start_.st_uid;
    // In a directory such as /tmp, everybody has files of their own.
    if (!is_ours || (info.st_mode & S_ISVTX) != 0) return false;
    if ((info.st_mode & S_IWOTH) != 0 && (start_.st_mode & S_IWOTH) == 0) return false;
    const bool is_our_group =
        info.st_gid == ::getegid() || (info.st_gid == start_.st_gid && (start_.st_mode & S_IWGRP) != 0);
    return (info.st_mode & S_IWGRP) == 0 || is_our_group;
  }

 private:
  struct stat start_{};
};

/// Takes the main worktree of a linked worktree inside of it out of the list, with the directories between the two.
/// Directories above the main worktree stay.
void leave_out_main_worktrees(Directories& directories) {
  for (size_t at = directories.size(); at-- > 0;) {
    const std::string main = main_worktree_of(directories[at]);
    const auto found = main.empty() ? directories.end() : std::ranges::find(directories, main);
    if (found >= directories.begin() + static_cast<std::ptrdiff_t>(at)) continue;
    const auto first = found - directories.begin();
    directories.erase(found, directories.begin() + static_cast<std::ptrdiff_t>(at));
    at = static_cast<size_t>(first);
  }
}

/// An absolute name without `.`, `..` and slashes at its end. Usually the name is one already.
std::string plain_name(const std::string& said) {
  if (said.starts_with('/') && !said.ends_with('/') && !said.contains("//") && !said.contains("/.")) return said;
  std::error_code error;
  std::string name = std::filesystem::absolute(said, error).lexically_normal().string();
  while (name.size() > 1 && name.ends_with('/')) name.pop_back();
  return error ? said : name;
}

struct Search {
  ProjectDirs project;
  bool is_marked = false;  ///< false: no directory has a mark, and the root is the start
};

/// The directory below which the search takes place: the home directory, under its own or its real name, or the top of
/// the file system. In the home directory itself nothing is searched.
std::string bound_of(const std::string& start, const std::string& home) {
  for (const bool is_real : {false, true}) {
    const std::string name = is_real ? canonical_directory(home) : home;
    if (start == name || is_below(start, name)) return name;
  }
  return "/";
}

/// The search along one name of the start.
Search search(const std::string& start, const std::string& home) {
  Directories directories = directories_below(bound_of(start, home), start);
  leave_out_main_worktrees(directories);
  const Owners owners(start);
  // The start itself always counts: it is the directory that the person or the agent chose.
  const auto counts = [&](const std::string& directory) {
    return directory == start || owners.are_alone_in(directory);
  };
  const auto is_root = [&](const std::string& directory) { return has_mark(directory) && counts(directory); };
  const auto root = std::ranges::find_if(directories, is_root);
  if (root == directories.end()) return {{start}, false};
  Search out{{*root}, true};
  std::copy_if(root + 1, directories.end(), std::back_inserter(out.project.parts), counts);
  return out;
}

}  // namespace

void add_project(ProjectDirs& to, const ProjectDirs& more) {
  const auto add = [&](const std::string& directory) {
    if (directory == to.root || std::ranges::find(to.parts, directory) != to.parts.end()) return;
    to.parts.push_back(directory);
  };
  add(more.root);
  std::ranges::for_each(more.parts, add);
}

void add_directory(ProjectDirs& to, const std::string& directory, const std::string& home) {
  if (directory == to.root) return;
  // A home directory on the way separates projects: what is above it is nobody's root below it.
  const bool has_home_between = is_below(home, to.root) && (directory == home || is_below(directory, home));
  const bool is_other = !is_below(directory, to.root) || has_home_between;
  if (is_other) return add_project(to, find_project(directory, home));
  const Owners owners(directory);
  for (const std::string& at : directories_below(to.root, directory)) {
    if (at == directory || owners.are_alone_in(at)) add_project(to, {at});
  }
}

ProjectDirs find_project(const std::string& said, const std::string& home) {
  const std::string directory = plain_name(said);
  const std::string usual_home = plain_name(home.empty() ? Environment::of_process().home() : home);
  Search named = search(directory, usual_home);
  const std::string real = canonical_directory(directory);
  if (real == directory) return std::move(named.project);
  // The name leads through links. The directories above the real one count as well: otherwise a link into a project
  // would be a way around its guards.
  Search other = search(real, usual_home);
  const bool is_found_above = named.is_marked && named.project.root != directory;
  if (!is_found_above && other.is_marked) std::swap(named, other);
  // Without a mark, the other name is the same directory once more.
  if (other.is_marked) add_project(named.project, other.project);
  return std::move(named.project);
}

}  // namespace grapnel
