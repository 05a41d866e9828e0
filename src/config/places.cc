#include "config/places.h"

#include <set>

#include "trust/trust_store.h"

namespace grapnel {

namespace {

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
      return roots.project_dir.empty() ? "" : roots.project_dir + "/" + relative;
    case PlaceBase::Home:
      break;
  }
  const std::string_view home = roots.env->get(place.home_override);
  return (home.empty() ? roots.env->home() : std::string(home)) + "/" + relative;
}

}  // namespace

std::vector<HookFile> hook_file_places(const PlaceRoots& roots) {
  std::vector<HookFile> files;
  std::set<std::string> seen;
  for (const Dialect* dialect : all_dialects()) {
    for (const Place& place : dialect->places) {
      std::string path = path_of(place, roots);
      if (path.empty() || !seen.insert(canonical_directory(path)).second) continue;
      files.push_back({dialect, place.scope, std::move(path)});
    }
  }
  return files;
}

}  // namespace grapnel
