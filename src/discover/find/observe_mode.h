#pragma once

#include "discover/find/grapnel_settings.h"
#include "model/registry.h"

/// `mode: observe` for many hooks at once, in `settings.yaml`. The user's file covers the hooks of the user and of
/// projects, the administrator's file covers all. So a lower level never weakens the hooks of a higher one. If the
/// administrator writes `mode: enforce`, the user's file has no say. (`mode` in a rule file is read with the rules and
/// covers that file only.)
namespace grapnel {

/// Whether one of the files says it.
bool wants_observing(const GrapnelSettings& settings);

/// Marks the hooks that only observe. A word that is not a mode becomes a problem. True when something changed and the
/// registry must be arranged again.
bool apply_observe_mode(const GrapnelSettings& settings, const PlaceRoots& roots, Registry& registry);

}  // namespace grapnel
