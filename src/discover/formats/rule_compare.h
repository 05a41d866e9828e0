#pragma once

#include <optional>

#include "model/rule.h"

namespace grapnel {

/// Whether every event that meets `narrow` also meets `wide`, as far as the texts of the conditions show. False does
/// not prove the opposite: patterns are compared only in simple cases. A missing condition is always met.
bool implies(const Boxed<Condition>& narrow, const Boxed<Condition>& wide);

}  // namespace grapnel
