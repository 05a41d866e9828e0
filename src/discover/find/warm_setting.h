#pragma once

#include <vector>

#include "discover/find/grapnel_settings.h"
#include "model/registry.h"

namespace grapnel {

/// `warm: [guard, 'lint-*']` in `settings.yaml`: marks command hooks of any format, by their names as `grapnel list`
/// shows them. The administrator's list and the user's are added up. It changes how fast a hook answers, not what.
void apply_warm(const GrapnelSettings& settings, Registry& registry);

/// What is wrong with the lists, for people.
std::vector<ConfigProblem> warm_problems(const GrapnelSettings& settings, const PlaceRoots& roots);

}  // namespace grapnel
