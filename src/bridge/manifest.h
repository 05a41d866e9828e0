#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/environment.h"
#include "base/unique_fd.h"
#include "bridge/adapter.h"
#include "os/files.h"

/// Remembers what was written into which agent's settings, so that it can be taken back exactly. Kept in the state
/// directory:
///
///   <state>/bridge/installed.json         one record per agent and settings file
///   <state>/bridge/<digest>-<name>        the content of a settings file without us
///
/// Both are private files (trust/private_file.h): somebody who could change them could have anything written into an
/// agent's settings.
namespace grapnel {

/// A file that we changed.
struct InstalledFile {
  std::string path;                    ///< as the agent names it
  std::string after;                   ///< digest of the content that we wrote
  bool existed = false;                ///< false: we created the file, so there is no content to restore
  std::vector<std::string> made;       ///< containers that only our entries needed
  std::vector<std::string> made_dirs;  ///< outermost first
};

/// One agent whose settings call Grapnel.
struct Installed {
  std::string agent;
  Scope scope = Scope::User;
  std::string program;
  OnMissing on_missing = OnMissing::Pass;
  std::vector<std::string> events;   ///< as the agent spells them
  std::vector<InstalledFile> files;  ///< the settings file is the first
};

class Manifest {
 public:
  explicit Manifest(const Environment& env, os::Durability durability = os::Durability::Synced)
      : dir_(env.state_dir() + "/bridge"), durability_(durability) {}

  /// Whether files are synced to the disk. Applies to the files here and to the settings.
  os::Durability durability() const { return durability_; }

  /// The installed agents; empty when there is no such file. Fails: Refused, BadInput, System.
  Result<std::vector<Installed>> load() const;
  Result<void> save(const std::vector<Installed>& all) const;

  /// The path of the backup of a settings file.
  std::string backup_path(const std::string& settings) const;
  /// Fails: NotFound, Refused, System.
  Result<std::string> load_backup(const std::string& settings) const;
  Result<void> save_backup(const std::string& settings, std::string_view content) const;

  /// Lets only one process change settings at a time. Fails: System.
  Result<UniqueFd> lock() const;

 private:
  std::string path() const { return dir_ + "/installed.json"; }

  std::string dir_;
  os::Durability durability_;
};

/// The record of the agent with that settings file; null when there is none.
const Installed* find_installed(const std::vector<Installed>& all, std::string_view agent, std::string_view settings);

}  // namespace grapnel
