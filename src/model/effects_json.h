#pragma once

#include "grapnel/decision.h"

namespace grapnel {

/// A decision as JSON without loss, and back: for what is remembered between processes.
Json decision_to_stored(const Decision& decision);
Decision decision_from_stored(const Json& stored);

}  // namespace grapnel
