#pragma once

#include "dialect/dialect.h"

namespace grapnel {

/// Translates a hook's effects from the hook's dialect to the dialect of the event: the argument names of a rewritten
/// input, the tool and arguments of a tail call, and the tool names of a tool choice.
void translate_effects(Effects& effects, const Dialect& from, const Event& event);

}  // namespace grapnel
