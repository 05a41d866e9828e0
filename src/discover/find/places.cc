#include "discover/find/places.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "grapnel/json.h"

#include "discover/find/worktree.h"
#include "os/files.h"
#include "trust/trust_store.h"

namespace grapnel {

namespace {

namespace fs = std::filesystem;

using Probed = std::vector<std::string>;

/// The value of a variable; "" for the many places that have none.
std::string_view value_of(const Environment& env, std::string_view variable) {
  return variable.empty() ? variable : env.get(variable);
}

/// The administrator's file of a place below the root.
std::string managed_path(const HookFilePlace& place, const PlaceRoots& roots) {
  return roots.root + (roots.root.ends_with('/') ? "" : "/") + std::string(place.path);
}

/// The path of a place that does not depend on the project, or of any place that a variable moves; "" for the others.
/// The variables are asked from the most specific to the least: one that names the file, one that names its directory,
/// one that names the home directory.
std::string path_of(const HookFilePlace& place, const PlaceRoots& roots) {
  if (const auto override = value_of(*roots.env, place.path_override); !override.empty()) return std::string(override);
  const std::string relative(place.path);
  if (const auto dir = value_of(*roots.env, place.dir_override); !dir.empty()) {
    // The variable replaces the whole directory, so only the name of the file remains.
    return std::string(dir) + "/" + relative.substr(relative.rfind('/') + 1);
  }
  switch (place.base) {
    case PlaceBase::Root:
      return managed_path(place, roots);
    case PlaceBase::Project:
      return "";
    case PlaceBase::Config:
      return config_dir(*roots.env) + "/" + relative;
    case PlaceBase::State:
      return roots.env->state_dir() + "/" + relative;
    case PlaceBase::Home:
      break;
  }
  const std::string_view home = value_of(*roots.env, place.home_override);
  return (home.empty() ? roots.env->home() : std::string(home)) + "/" + relative;
}

/// A directory of the project, and the same directory in the main worktree if it is in a linked one.
struct ProjectDirectory {
  std::string path;
  std::string main = {};
};

/// The main worktree of a directory: its own, or that of the nearest directory above it in the list.
std::string main_of(const std::string& path, const std::vector<ProjectDirectory>& above) {
  if (std::string own = main_worktree_of(path); !own.empty()) return own;
  for (auto at = above.rbegin(); at != above.rend(); ++at) {
    if (at->main.empty() || !path.starts_with(at->path + "/")) continue;
    return at->main + path.substr(at->path.size());
  }
  return "";
}

/// The directories of the project, the root first. Whether one is a linked worktree depends on its `.git`, so that path
/// is noted unless it is a directory: directories of git change all the time, and never become a file.
std::vector<ProjectDirectory> project_directories(const PlaceRoots& roots, Probed& probed) {
  std::vector<ProjectDirectory> out;
  const auto add = [&](const std::string& path) {
    std::error_code error;
    if (!fs::is_directory(path + "/.git", error)) probed.push_back(path + "/.git");
    std::string main = main_of(path, out);
    out.push_back({path, std::move(main)});
  };
  if (!roots.project_dir.empty()) add(roots.project_dir);
  std::ranges::for_each(roots.project_parts, add);
  return out;
}

/// The path with links resolved. A missing path is returned as it is: it cannot be the same file as another, and
/// resolving it would cost a system call for every directory on the way.
std::string true_name(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error) ? canonical_directory(path) : path;
}

/// Whether a place of that format is a directory with a file or a directory for each hook.
bool is_directory(PlaceFormat format) {
  return format == PlaceFormat::HookDirectories || format == PlaceFormat::SettingsDirectory;
}

constexpr size_t kMaxLock = size_t{1} << 20;

/// The names in a lock file of packs (cli/pack/pack_lock.h). A pack that is there only by name has to be missed.
std::vector<std::string> locked_names(const std::string& path) {
  std::vector<std::string> names;
  const auto text = os::read_file(path, kMaxLock);
  const auto root = text ? Json::parse(*text) : std::unexpected(text.error());
  if (!root) return names;
  for (const JsonMember& pack : (*root)["packs"].members()) {
    if (!pack.key.contains('/') && !pack.key.starts_with('.')) names.emplace_back(pack.key);
  }
  return names;
}

/// The paths that a path with `kEachDirectory` stands for. A directory that the worktree has counts as a whole: that of
/// the main worktree, which may be another version, is left out. A new directory changes the one above it, which is
/// therefore noted. Hidden directories are unfinished.
std::vector<std::string> each_path(const std::string& path, const std::string& in_main, Probed& probed) {
  std::map<std::string, std::string> by_name;
  const auto add = [&](const std::string& pattern, const std::string& name) {
    std::string one = pattern;
    if (!name.starts_with('.')) by_name.emplace(name, one.replace(one.find(kEachDirectory) + 1, 1, name));
  };
  const auto above = [](const std::string& pattern) { return pattern.substr(0, pattern.find(kEachDirectory)); };
  for (const std::string& pattern : {path, in_main}) {
    if (pattern.empty()) continue;
    probed.push_back(above(pattern));
    std::error_code error;
    for (fs::directory_iterator entry(above(pattern), error), end; !error && entry != end; entry.increment(error))
      add(pattern, entry->path().filename());
  }
  probed.push_back(above(path) + ".lock");
  for (const std::string& name : locked_names(probed.back())) add(path, name);
  std::vector<std::string> out;
  for (auto& [name, one] : by_name) out.push_back(std::move(one));
  return out;
}

/// Calls `see(file, in_main)` for every place of every dialect, in layering order. `in_main` is the path of the same
/// file in the main worktree, for a file of a linked worktree.
void for_each_place(const PlaceRoots& roots, const std::vector<ProjectDirectory>& directories, const auto& see) {
  for (const Dialect* dialect : all_dialects()) {
    for (const HookFilePlace& place : dialect->files.places) {
      const auto in_directory = [&](const std::string& directory) { return directory + "/" + std::string(place.path); };
      std::string path = path_of(place, roots);
      // A variable may add a managed file; the administrator's own holds whatever it says.
      if (place.base == PlaceBase::Root && path != managed_path(place, roots)) {
        see(HookFile{dialect, place.scope, managed_path(place, roots), place.format}, "");
      }
      if (!path.empty()) {
        see(HookFile{dialect, place.scope, std::move(path), place.format}, "");
        continue;
      }
      for (const auto& [directory, main] : directories) {
        see(HookFile{dialect, place.scope, in_directory(directory), place.format, directory, main},
            main.empty() ? "" : in_directory(main));
      }
    }
  }
}

}  // namespace

std::string config_dir(const Environment& env) {
  const std::string_view set = env.get("XDG_CONFIG_HOME");
  return set.starts_with('/') ? std::string(set) : env.home() + "/.config";
}

std::vector<HookFile> named_places(const PlaceRoots& roots) {
  std::vector<HookFile> files;
  Probed unused;
  const std::vector<ProjectDirectory> directories = project_directories(roots, unused);
  for_each_place(roots, directories, [&](HookFile file, const std::string& in_main) {
    files.push_back(file);
    if (in_main.empty()) return;
    file.path = in_main;
    files.push_back(std::move(file));
  });
  return files;
}

std::vector<HookFile> hook_file_places(const PlaceRoots& roots, std::vector<std::string>* probed) {
  std::vector<HookFile> files;
  Probed looked_at;
  const std::vector<ProjectDirectory> directories = project_directories(roots, looked_at);
  // Places come in layering order and the first one stays, so a file is never demoted to the project's.
  std::set<std::string> seen;
  const auto add = [&](HookFile file) {
    if (seen.insert(true_name(file.path)).second) files.push_back(std::move(file));
  };
  for_each_place(roots, directories, [&](HookFile file, const std::string& in_main) {
    if (file.path.contains(kEachDirectory)) {
      std::vector<std::string> paths = each_path(file.path, in_main, looked_at);
      for (std::string& path : paths) {
        file.path = std::move(path);
        add(file);
      }
      return;
    }
    if (in_main.empty()) return add(std::move(file));
    std::error_code error;
    const bool is_there = fs::exists(file.path, error);
    // Without a file of its own now, the worktree may get one later.
    if (!is_there) looked_at.push_back(file.path);
    if (is_there) add(file);
    if (is_there && !is_directory(file.format)) return;
    file.unless_in = std::move(file.path);
    file.path = in_main;
    add(std::move(file));
  });
  if (probed != nullptr) *probed = std::move(looked_at);
  return files;
}

std::vector<HookFile> paths_of_place(const HookFilePlace& place, const Dialect& dialect, const PlaceRoots& roots) {
  if (std::string path = path_of(place, roots); !path.empty()) {
    return {{&dialect, place.scope, std::move(path), place.format}};
  }
  std::vector<HookFile> files;
  Probed unused;
  for (const auto& [directory, main] : project_directories(roots, unused)) {
    const std::string below = "/" + std::string(place.path);
    std::error_code error;
    const bool is_in_main = !main.empty() && !fs::exists(directory + below, error);
    files.push_back({&dialect, place.scope, (is_in_main ? main : directory) + below, place.format, directory, main});
  }
  return files;
}

std::vector<std::string> settings_files_in(const std::string& directory) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename();
    if (name.ends_with(".json") && !name.starts_with('.')) files.push_back(entry->path());
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace grapnel
