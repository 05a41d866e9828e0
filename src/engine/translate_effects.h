#pragma once

#include "dialect/dialect.h"

namespace grapnel {

/// Puts a hook's effects into the words of the event it answered: argument names of a rewritten input, tool names of a
/// choice.
void translate_effects(Effects& effects, const Dialect& from, const Event& event);

}  // namespace grapnel
