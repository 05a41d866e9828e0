#pragma once

#include <string>
#include <vector>

#include "grapnel/error.h"

#include "base/environment.h"
#include "cli/pack/pack_lock.h"
#include "model/registry.h"

namespace grapnel::cli {

/// The packs of a project or of a user: the directory `packs` with one directory for each, and the lock file beside it.
struct PackHome {
  std::string directory;  ///< `.agents` of the project, or `agents` in the user's configuration
  std::string base;       ///< relative sources are relative to this; nothing is written outside of it
  Scope scope = Scope::Project;

  std::string path_of(const std::string& name) const { return directory + "/packs/" + name; }
  std::string lock_path() const { return directory + "/packs.lock"; }
  /// The source as the lock file has it. A directory below the project, or next to it, gets a relative path, which is
  /// right on other machines, too.
  PackSource relative(PackSource source) const;
};

/// The packs of that scope.
PackHome pack_home(const std::string& project, const Environment& env, Scope scope);

/// The pack as it is here. Fails: NotFound; Refused when its place is a link, or as `read_pack`.
Result<Pack> read_pack_of(const PackHome& home, const std::string& name);

/// Puts the pack into its place and into the lock file. Fails: Refused when the place is a link or leads elsewhere;
/// System.
Result<void> put_pack(const PackHome& home, const std::string& name, const LockedPack& locked, const Pack& pack);

/// Changes only the entry of the pack in the lock file. Fails: as `load_lock` and `save_lock`.
Result<void> note_pack(const PackHome& home, const std::string& name, const LockedPack& locked);

/// Removes the pack and its entry. Fails: as `put_pack`.
Result<void> remove_pack(const PackHome& home, const std::string& name);

/// What is wrong with the packs: changed since they were added, missing, or not in the lock file.
std::vector<ConfigProblem> pack_problems(const PackHome& home);

}  // namespace grapnel::cli
