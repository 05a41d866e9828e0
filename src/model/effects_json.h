#pragma once

#include "grapnel/decision.h"

namespace grapnel {

/// A decision as JSON, and back, to remember it between processes. It keeps the effects (without `data`), the origin,
/// the deciding hook and the event's id; what happened to each hook is not stored.
Json decision_to_stored(const Decision& decision);
Decision decision_from_stored(const Json& stored);

/// The effects other than the verdict, with the names of `Decision::to_json`. Of environment variables it has only the
/// names. Missing if there are no effects.
Json summarize_effects(const Effects& effects);

/// The object `{verdict, reason, decided_by, effects}`; empty members are left out.
Json would_to_json(const Would& would);

/// The object `{answer, reason, pattern, by, ms, remembered}`; empty members are left out.
Json person_to_json(const PersonAnswer& person);

/// The object `{effect, to, why}`.
Json loss_to_json(const Degradation& loss);

}  // namespace grapnel
