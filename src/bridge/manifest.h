#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/environment.h"
#include "base/unique_fd.h"
#include "bridge/adapter.h"
#include "os/files.h"

/// What was written into which agent's settings, kept in the state directory, so that it can be taken back exactly.
///
///   <state>/bridge/installed.json         one record per agent and settings file
///   <state>/bridge/<digest>-<name>        a settings file as it is without us
///
/// Both are private files: whoever could change them could have anything written into an agent's settings.
namespace grapnel {

/// A file that was changed.
struct InstalledFile {
  std::string path;                    ///< as the agent names it
  std::string after;                   ///< digest of what we wrote
  bool existed = false;                ///< otherwise there is nothing to give back
  std::vector<std::string> made;       ///< containers that only our entries needed
  std::vector<std::string> made_dirs;  ///< outermost first
};

/// One agent whose settings call us.
struct Installed {
  std::string agent;
  Scope scope = Scope::User;
  std::string program;
  OnMissing on_missing = OnMissing::Pass;
  std::vector<std::string> events;   ///< as the agent spells them
  std::vector<InstalledFile> files;  ///< the settings first
};

class Manifest {
 public:
  explicit Manifest(const Environment& env, os::Durability durability = os::Durability::Synced)
      : dir_(env.state_dir() + "/bridge"), durability_(durability) {}

  /// Of what is written here and, by it, into settings.
  os::Durability durability() const { return durability_; }

  /// Nothing installed when there is no such file. Fails: Refused, BadInput, System.
  Result<std::vector<Installed>> load() const;
  Result<void> save(const std::vector<Installed>& all) const;

  /// Where a settings file's own content is kept.
  std::string backup_path(const std::string& settings) const;
  /// Fails: NotFound, Refused, System.
  Result<std::string> load_backup(const std::string& settings) const;
  Result<void> save_backup(const std::string& settings, std::string_view content) const;

  /// For one change at a time. Fails: System.
  Result<UniqueFd> lock() const;

 private:
  std::string path() const { return dir_ + "/installed.json"; }

  std::string dir_;
  os::Durability durability_;
};

/// The record of an agent whose settings file has that path, or null.
const Installed* find_installed(const std::vector<Installed>& all, std::string_view agent, std::string_view settings);

}  // namespace grapnel
