#pragma once

#include <span>

#include "grapnel/decision.h"
#include "grapnel/event.h"

/// Combines the answers of all hooks into one decision: first a fold in the configured order, then the rules that need
/// to see the whole result.
namespace grapnel {

/// The fold is associative, `Effects{}` is its identity, and a Deny always wins (tests check these properties). Each
/// effect has its own rule: the strictest verdict wins and brings its reasons; input rewrites are applied one after
/// another, and model requests are merged in order; context, messages, logs and data are appended; variables are merged
/// by name; the strictest tool choice wins; flags such as `stop` stay set; for everything else the last value wins.
Effects combine(Effects earlier, const Effects& later);
/// The same in place; values are moved out of `later`.
void combine_into(Effects& earlier, Effects&& later);

/// Limits that apply to the whole decision.
struct FinalizeOptions {
  size_t max_context = size_t{64} << 10;  ///< bytes of context that are kept; a mark shows where it was cut
  bool loop_cap_reached = false;          ///< hooks have closed this gate too often in this turn
};

/// Applies the rules that need the whole result: removes verdicts that the event cannot have, rewrites of something
/// that was denied, and the Deny of a gate that reached its loop cap; cuts the context. The engine adds who decided and
/// what happened to each hook.
Decision finalize(Effects&& effects, EventKind kind, const FinalizeOptions& options);

}  // namespace grapnel
