#pragma once

#include "engine/event_run.h"

/// Hooks with `mode: observe`. They are planned, asked and run like all others, and their fate is recorded. But what
/// they answer has no effect: it is collected in `Progress::would` instead of `Progress::effects`, and the decision
/// tells it as `Decision::would`.
///
/// Nothing of the answer is used, not even its context or its rewrites. So the agent behaves exactly as it would
/// without the hook, and later hooks see the event as if the hook had been silent.
namespace grapnel {

/// Takes the effects of an observing hook. Its fate gets `would`, and its verdict becomes Pass.
void observe(EventRun& run, HookFate& fate, Effects effects);

/// What all observing hooks of the event together would have done; nothing if they had nothing to say.
std::optional<Would> would_of(EventRun& run);

}  // namespace grapnel
