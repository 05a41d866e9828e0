#pragma once

#include "dialect/dialect.h"

namespace grapnel {

/// A hook's effects in the words of the event it answered: argument names of a rewritten input, tool names of a choice.
Effects translate_effects(Effects effects, const Dialect& from, const Event& event);

}  // namespace grapnel
