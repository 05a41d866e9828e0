#pragma once

#include "discover/find/grapnel_settings.h"
#include "model/registry.h"

namespace grapnel {

/// Applies `unsure: ask | deny | pass` and `unsure_unattended: deny | pass` of `settings.yaml` to all rules that do not
/// say it themselves. The user's file does not count for managed rules. Returns whether something changed.
bool apply_unsure(const GrapnelSettings& settings, const PlaceRoots& roots, Registry& registry);

}  // namespace grapnel
