#include "config/places.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include "trust/trust_store.h"

namespace grapnel {

namespace {

namespace fs = std::filesystem;

/// The root of the repository a directory is in, or the directory itself.
fs::path repository_of(const fs::path& start) {
  constexpr auto kMarks = std::to_array<const char*>({".git", ".hg", ".svn", ".jj"});
  std::error_code error;
  for (fs::path at = start;; at = at.parent_path()) {
    for (const char* mark : kMarks) {
      if (fs::exists(at / mark, error)) return at;
    }
    if (!at.has_relative_path()) return start;
  }
}

/// The nearest directory of that name, from the project up to the root of its repository.
std::string nearest_above(const std::string& project, const std::string& relative) {
  std::error_code error;
  const std::string own = project + "/" + relative;
  if (fs::is_directory(own, error)) return own;
  const fs::path last = repository_of(project);
  for (fs::path at = project; at != last;) {
    at = at.parent_path();
    if (fs::is_directory(at / relative, error)) return at / relative;
  }
  return own;
}

std::string path_of(const Place& place, const PlaceRoots& roots) {
  if (const auto override = roots.env->get(place.path_override); !override.empty()) return std::string(override);
  const std::string relative(place.path);
  if (const auto dir = roots.env->get(place.dir_override); !dir.empty()) {
    return std::string(dir) + "/" + relative.substr(relative.rfind('/') + 1);
  }
  switch (place.base) {
    case PlaceBase::Root:
      return roots.root + (roots.root.ends_with('/') ? "" : "/") + relative;
    case PlaceBase::Project:
      if (roots.project_dir.empty()) return "";
      if (place.format == PlaceFormat::HookDirectories) return nearest_above(roots.project_dir, relative);
      return roots.project_dir + "/" + relative;
    case PlaceBase::Config:
      return config_dir(*roots.env) + "/" + relative;
    case PlaceBase::Home:
      break;
  }
  const std::string_view home = roots.env->get(place.home_override);
  return (home.empty() ? roots.env->home() : std::string(home)) + "/" + relative;
}

/// What is not there has no other name, and to look for one costs a call for every directory on the way.
std::string true_name(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error) ? canonical_directory(path) : path;
}

}  // namespace

std::string config_dir(const Environment& env) {
  const std::string_view set = env.get("XDG_CONFIG_HOME");
  return set.starts_with('/') ? std::string(set) : env.home() + "/.config";
}

std::vector<HookFile> hook_file_places(const PlaceRoots& roots) {
  std::vector<HookFile> files;
  std::set<std::string> seen;
  for (const Dialect* dialect : all_dialects()) {
    for (const Place& place : dialect->places) {
      std::string path = path_of(place, roots);
      if (path.empty() || !seen.insert(true_name(path)).second) continue;
      files.push_back({dialect, place.scope, std::move(path), place.format});
    }
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
