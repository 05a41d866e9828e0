#pragma once

#include "grapnel/json.h"

namespace grapnel {

/// A JSON Schema (2020-12) of rule files, for editors. It accepts what the reader accepts, but it cannot express
/// everything that the reader checks: contradicting keys, for example, or mistakes inside patterns.
Json rule_schema();

}  // namespace grapnel
