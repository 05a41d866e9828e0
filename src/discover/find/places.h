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
  std::string project = {};     ///< the directory that it belongs to; "" if it is not a project's
  std::string trusted_as = {};  ///< see `HookSpec::trusted_as`
  std::string unless_in = {};   ///< of a directory: leave out what this other directory has under the same name
};

/// Where hook files are looked for.
struct PlaceRoots {
  std::string root = "/";  ///< prefix of managed files; tests move it
  std::string project_dir;
  const Environment* env = nullptr;             ///< must outlive this
  std::vector<std::string> project_parts = {};  ///< further directories with hook files, the outer first
};

/// `$XDG_CONFIG_HOME`, which must be absolute to count, or `~/.config`.
std::string config_dir(const Environment& env);

/// Every place of every dialect, in layering order, whether a file exists or not. When two places are the same file
/// (for example because the project directory is the home directory), only the first is kept, which makes the file the
/// user's. Links are followed. Other paths that were checked on the way go into `probed`.
///
/// In a linked worktree of git, a file that the worktree lacks is taken from the main worktree: that is where files are
/// that git does not track. The same holds for each file in a directory of hook files.
std::vector<HookFile> hook_file_places(const PlaceRoots& roots, std::vector<std::string>* probed = nullptr);

/// The same without a look at the files: two places that lead to one file are both kept, and so are the two places of a
/// file in a linked worktree and in the main worktree.
std::vector<HookFile> named_places(const PlaceRoots& roots);

/// The paths of one place that may have a file, with the project's directories: of a linked worktree, that in the main
/// worktree if it has none of its own.
std::vector<HookFile> paths_of_place(const HookFilePlace& place, const Dialect& dialect, const PlaceRoots& roots);

/// The `*.json` files of a directory by name, hidden ones left out.
std::vector<std::string> settings_files_in(const std::string& directory);

}  // namespace grapnel
