#pragma once

#include <optional>

#include "model/rule.h"

namespace grapnel {

/// Whether whatever satisfies `narrow` satisfies `wide`, as far as the texts show: false is no proof of the opposite.
bool implies(const Rare<Condition>& narrow, const Rare<Condition>& wide);

}  // namespace grapnel
