#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bridge/entry.h"
#include "bridge/manifest.h"
#include "discover/find/places.h"
#include "os/files.h"

/// Installing and uninstalling: first a plan, which is a value and changes nothing, then the plan is carried out.
///
///   settings now ──▶ as they are without us ──▶ with our entries        (install)
///                └─────────────────────────────────────────────▶        (uninstall: only the first step)
///
/// Without us means: the bytes we once found, if nobody changed the file since; otherwise the file of now, less our
/// entries. So installing twice is installing once, and what people changed meanwhile stays.
namespace grapnel {

/// Whose settings.
struct BridgeTarget {
  const Adapter* adapter = nullptr;
  Scope scope = Scope::User;  ///< user or project
  PlaceRoots roots;
};

/// What becomes of one file; nothing stands for no file.
struct FileChange {
  std::string path;
  std::optional<std::string> before;
  std::optional<std::string> after;
  std::optional<std::string> own;  ///< what is given back one day
  InstalledFile record;

  bool is_change() const { return before != after; }
};

struct BridgePlan {
  const Adapter* adapter = nullptr;
  std::vector<FileChange> files;    ///< the settings first
  std::optional<Installed> record;  ///< nothing: the agent's is dropped
  std::vector<std::string> notes;   ///< for people: what else they have to do or know

  bool is_change() const;
};

/// The settings file of an agent. Fails: NotFound when it has none of that scope.
Result<std::string> settings_path(const BridgeTarget& target);

/// Fails: as `settings_path`; BadConfig at the place of what cannot be read or added to; Refused, System.
Result<BridgePlan> plan_install(const BridgeTarget& target, const Wiring& wiring, const Manifest& manifest);
Result<BridgePlan> plan_uninstall(const BridgeTarget& target, const Manifest& manifest);

/// Backups first, then the record, then the files, each in one step. What was written is put back when a later one
/// fails. Fails: Refused when a file has changed since it was planned or is read-only; System.
Result<void> carry_out(const BridgePlan& plan, const Manifest& manifest);

/// The events of ours that an agent's settings have now. Fails: as `settings_path`, and when they cannot be read.
Result<std::vector<std::string>> wired_events(const Adapter& adapter, const std::string& settings);

}  // namespace grapnel
