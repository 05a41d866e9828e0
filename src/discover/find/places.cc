#include "discover/find/places.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include "trust/trust_store.h"

namespace grapnel {

namespace {

namespace fs = std::filesystem;

using Probed = std::vector<std::string>;

/// The root of the repository that contains the directory, or the directory itself when it is in none. A new `.git`
/// would change the answer, so every path that is tried is noted.
fs::path repository_of(const fs::path& start, Probed& probed) {
  constexpr auto kMarks = std::to_array<const char*>({".git", ".hg", ".svn", ".jj"});
  std::error_code error;
  for (fs::path at = start;; at = at.parent_path()) {
    for (const char* mark : kMarks) {
      probed.push_back(at / mark);
      if (fs::exists(at / mark, error)) return at;
    }
    if (!at.has_relative_path()) return start;
  }
}

/// Whether `inner` is `outer` or below it, judged by the names alone.
bool is_in(const std::string& inner, const std::string& outer) {
  return inner.starts_with(outer) &&
         (inner.size() == outer.size() || outer.ends_with('/') || inner[outer.size()] == '/');
}

/// The nearest directory of that name, from the project up to the root of its repository. The repository is searched
/// for only when a directory was found above the project, which is rare.
std::string nearest_above(const std::string& project, const std::string& relative, Probed& probed) {
  std::error_code error;
  const std::string own = project + "/" + relative;
  if (fs::is_directory(own, error)) return own;
  probed.push_back(own);
  for (fs::path at = project; at.has_relative_path();) {
    at = at.parent_path();
    probed.push_back(at / relative);
    if (!fs::is_directory(at / relative, error)) continue;
    return is_in(at, repository_of(project, probed)) ? (at / relative).string() : own;
  }
  return own;
}

/// The value of a variable; "" for the many places that have none.
std::string_view value_of(const Environment& env, std::string_view variable) {
  return variable.empty() ? variable : env.get(variable);
}

/// The path of a place, or "" for a project place without a project. The variables are asked from the most specific to
/// the least: one that names the file, one that names its directory, one that names the home directory.
std::string path_of(const HookFilePlace& place, const PlaceRoots& roots, Probed& probed) {
  if (const auto override = value_of(*roots.env, place.path_override); !override.empty()) return std::string(override);
  const std::string relative(place.path);
  if (const auto dir = value_of(*roots.env, place.dir_override); !dir.empty()) {
    // The variable replaces the whole directory, so only the name of the file remains.
    return std::string(dir) + "/" + relative.substr(relative.rfind('/') + 1);
  }
  switch (place.base) {
    case PlaceBase::Root:
      return roots.root + (roots.root.ends_with('/') ? "" : "/") + relative;
    case PlaceBase::Project:
      if (roots.project_dir.empty()) return "";
      if (place.format == PlaceFormat::HookDirectories) {
        return nearest_above(roots.project_dir, relative, probed);
      }
      return roots.project_dir + "/" + relative;
    case PlaceBase::Config:
      return config_dir(*roots.env) + "/" + relative;
    case PlaceBase::Home:
      break;
  }
  const std::string_view home = value_of(*roots.env, place.home_override);
  return (home.empty() ? roots.env->home() : std::string(home)) + "/" + relative;
}

/// The path with links resolved. A missing path is returned as it is: it cannot be the same file as another, and
/// resolving it would cost a system call for every directory on the way.
std::string true_name(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error) ? canonical_directory(path) : path;
}

}  // namespace

std::string config_dir(const Environment& env) {
  const std::string_view set = env.get("XDG_CONFIG_HOME");
  return set.starts_with('/') ? std::string(set) : env.home() + "/.config";
}

std::vector<HookFile> named_places(const PlaceRoots& roots, std::vector<std::string>* probed) {
  std::vector<HookFile> files;
  Probed looked_at;
  for (const Dialect* dialect : all_dialects()) {
    for (const HookFilePlace& place : dialect->files.places) {
      std::string path = path_of(place, roots, looked_at);
      if (!path.empty()) files.push_back({dialect, place.scope, std::move(path), place.format});
    }
  }
  if (probed != nullptr) *probed = std::move(looked_at);
  return files;
}

std::vector<HookFile> hook_file_places(const PlaceRoots& roots, std::vector<std::string>* probed) {
  std::vector<HookFile> files = named_places(roots, probed);
  // Places come in layering order and the first one stays, so a file is never demoted to the project's.
  std::set<std::string> seen;
  std::erase_if(files, [&](const HookFile& file) { return !seen.insert(true_name(file.path)).second; });
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
