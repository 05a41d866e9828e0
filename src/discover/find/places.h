#pragma once

#include <string>
#include <vector>

#include "base/environment.h"
#include "dialect/dialect.h"

namespace grapnel {

/// A file that may hold hooks.
struct HookFile {
  const Dialect* dialect = nullptr;
  Scope scope = Scope::User;
  std::string path;
  PlaceFormat format = PlaceFormat::Settings;
};

/// Where hook files are looked for.
struct PlaceRoots {
  std::string root = "/";  ///< prefix of managed files; tests move it
  std::string project_dir;
  const Environment* env = nullptr;  ///< must outlive this
};

/// `$XDG_CONFIG_HOME`, which must be absolute to count, or `~/.config`.
std::string config_dir(const Environment& env);

/// Every place of every dialect, in layering order, whether a file exists or not. When two places are the same file
/// (for example because the project directory is the home directory), only the first is kept, which makes the file the
/// user's. Links are followed. Other paths that were checked on the way go into `probed`.
std::vector<HookFile> hook_file_places(const PlaceRoots& roots, std::vector<std::string>* probed = nullptr);

/// The same, but compared by name only: two places that lead to one file are both kept.
std::vector<HookFile> named_places(const PlaceRoots& roots, std::vector<std::string>* probed = nullptr);

/// The `*.json` files of a directory by name, hidden ones left out.
std::vector<std::string> settings_files_in(const std::string& directory);

}  // namespace grapnel
