#pragma once

#include <vector>

#include "discover/formats/settings_file.h"

/// Combines several settings files of one dialect into hooks.
///
/// Files form realms: managed, user, and each directory of a project (with its local file). Within a realm, files are
/// combined as the dialect says. Settings flow down, never up: what a user file switches off, or how it treats failure,
/// also applies to project hooks, but a project file never changes, replaces or disables a hook of the user or of the
/// managed realm. A cloned repository must not be able to switch guards off.
namespace grapnel {

/// Overrides from the environment, for every realm.
struct LayerOptions {
  std::optional<std::chrono::milliseconds> default_timeout;
};

/// `files` in layering order, all of one dialect.
std::vector<HookSpec> layer_files(std::vector<SettingsFile> files, const LayerOptions& options);

}  // namespace grapnel
