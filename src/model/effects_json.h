#pragma once

#include "grapnel/decision.h"

namespace grapnel {

/// A decision as JSON without loss, and back: for what is remembered between processes.
Json decision_to_stored(const Decision& decision);
Decision decision_from_stored(const Json& stored);

/// What is asked for besides the verdict, with the names `Decision::to_json` has; of variables the names alone. Missing
/// when nothing is.
Json summarize_effects(const Effects& effects);

/// `{effect, to, why}`
Json loss_to_json(const Degradation& loss);

}  // namespace grapnel
