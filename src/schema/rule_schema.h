#pragma once

#include "grapnel/json.h"

namespace grapnel {

/// A JSON Schema (2020-12) of rule files, for editors. It takes what the reader takes; what the reader says about
/// contradictions and patterns it cannot say.
Json rule_schema();

}  // namespace grapnel
