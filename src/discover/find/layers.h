#pragma once

#include <vector>

#include "discover/formats/settings_file.h"

/// Several settings files of one dialect into hooks.
///
/// Files form realms: managed, user, project (with its local file). Inside a realm files add up as the dialect says.
/// Settings flow down, never up: what a user file switches off or how it treats failure holds for project hooks too,
/// but a project file never changes, replaces or disables a user's or a managed hook. A cloned repository must not be
/// able to switch guards off.
namespace grapnel {

/// Overrides from the environment, for every realm.
struct LayerOptions {
  std::optional<std::chrono::milliseconds> default_timeout;
};

/// `files` in layering order, all of one dialect.
std::vector<HookSpec> layer_files(std::vector<SettingsFile> files, const LayerOptions& options);

}  // namespace grapnel
