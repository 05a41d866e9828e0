#pragma once

#include <optional>

#include "model/rule.h"

namespace grapnel {

/// Whether whatever satisfies `narrow` satisfies `wide`, as far as the texts show: false is no proof of the opposite.
bool implies(const Boxed<Condition>& narrow, const Boxed<Condition>& wide);

}  // namespace grapnel
