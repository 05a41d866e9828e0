#pragma once

#include <span>

#include "grapnel/decision.h"
#include "grapnel/event.h"

/// Many answers into one: a fold in configured order, then what depends on the whole.
namespace grapnel {

/// The fold: associative, with `Effects{}` as identity; a Deny absorbs (property-tested). Rules belong to the effect:
/// verdicts take the maximum and reasons follow the winner; input rewrites compose and model requests merge in order;
/// context, messages and logs are appended; tool choice takes the strictest mode; stop and clear are sticky; the rest
/// is last in order.
Effects combine(Effects earlier, const Effects& later);
/// The same where it stands; values are taken from `later`.
void combine_into(Effects& earlier, Effects&& later);

/// Caps and limits that hold for the whole decision.
struct FinalizeOptions {
  size_t max_context = size_t{64} << 10;  ///< bytes of context kept, with a visible mark where it was cut
  bool loop_cap_reached = false;          ///< this gate was closed often enough in this turn
};

/// Applies what depends on the whole: drops rewrites on Deny, verdicts the event cannot have, the loop cap, the context
/// limit. Who decided and how the hooks fared is the engine's to add.
Decision finalize(Effects&& effects, EventKind kind, const FinalizeOptions& options);

}  // namespace grapnel
