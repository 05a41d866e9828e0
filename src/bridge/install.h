#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "bridge/entry.h"
#include "bridge/manifest.h"
#include "discover/find/places.h"
#include "os/files.h"

/// Installing and uninstalling. First a plan is made, which is a value and changes nothing. Then the plan is carried
/// out.
///
///   settings now ──▶ settings without us ──▶ settings with our entries        (install)
///                └─────────────────────▶                                      (uninstall: only the first step)
///
/// "Without us" means the bytes that we found when we installed, if nobody has changed the file since. Otherwise it
/// means the present file without our entries. So installing twice has the same result as installing once, and changes
/// that people made meanwhile are kept.
namespace grapnel {

/// The settings to change.
struct BridgeTarget {
  const Adapter* adapter = nullptr;
  Scope scope = Scope::User;  ///< user or project
  PlaceRoots roots;
};

/// The change of one file. A text of nullopt means that the file does not exist.
struct FileChange {
  std::string path;
  std::optional<std::string> before;
  std::optional<std::string> after;
  std::optional<std::string> own;  ///< the content without us, which uninstalling restores
  InstalledFile record;

  bool is_change() const { return before != after; }
};

/// Everything that has to be done for one agent.
struct BridgePlan {
  const Adapter* adapter = nullptr;
  std::vector<FileChange> files;    ///< the settings file is the first
  std::optional<Installed> record;  ///< nullopt: the agent's record is removed
  std::vector<std::string> notes;   ///< what else people have to do or know

  bool is_change() const;
};

/// The path of the agent's settings file. Fails: NotFound when it has none in that scope.
Result<std::string> settings_path(const BridgeTarget& target);

/// Fails: like `settings_path`; BadConfig, with the position, when settings cannot be read or extended; Refused,
/// System.
Result<BridgePlan> plan_install(const BridgeTarget& target, const Wiring& wiring, const Manifest& manifest);
Result<BridgePlan> plan_uninstall(const BridgeTarget& target, const Manifest& manifest);

/// Saves backups, then the record, then the files, each in one step. If a later step fails, the files that were already
/// written are restored. Fails: Refused when a file has changed since the plan was made or is read-only; System.
Result<void> carry_out(const BridgePlan& plan, const Manifest& manifest);

/// The events for which the agent's settings contain our entries now. Fails: like `settings_path`, and when the
/// settings cannot be read.
Result<std::vector<std::string>> wired_events(const Adapter& adapter, const std::string& settings);

/// How long the agent waits for our entry of that event, as its settings say now; people may have changed what we
/// wrote. Fails: when the settings cannot be read.
Result<std::chrono::milliseconds> wired_timeout(const Adapter& adapter, const std::string& settings, EventKind kind);

}  // namespace grapnel
