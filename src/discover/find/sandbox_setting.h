#pragma once

#include <map>
#include <string>

#include "discover/find/grapnel_settings.h"
#include "model/registry.h"

/// `sandbox:` in `settings.yaml`, for hooks of every format: one value for all hooks, or a map from names of hooks to
/// values, in which `*` stands for all that are not named.
///
///   sandbox: guard                       sandbox:
///                                          format-go: { write: [project] }
///                                          "*": guard
///
/// The user's file covers the hooks of the user and of projects, the administrator's file covers all. Each can only
/// take away from what a hook may do. Only here, `off` and `leftovers: keep` count for hooks of a project: what hides
/// or frees processes is not for a repository to say.
namespace grapnel {

/// Whether one of the files says something.
bool has_sandbox_setting(const GrapnelSettings& settings);

/// Applies it. A mistake becomes a problem, and the hooks that it was about get the sandbox `guard`. True when
/// something changed.
bool apply_sandboxes(const GrapnelSettings& settings, const PlaceRoots& roots, Registry& registry);

/// The same for what the host says (`SafetyOptions::sandboxes`).
bool apply_host_sandboxes(const std::map<std::string, std::string>& sandboxes, Registry& registry);

}  // namespace grapnel
