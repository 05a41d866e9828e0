#pragma once

#include "dialect/dialect.h"

namespace grapnel {

/// A JSON Schema (2020-12) of a dialect's hook files, made from its tables. It is for settings in JSON, for TOML after
/// its conversion to JSON, or for the frontmatter of a HOOK.md. It accepts what the readers accept, including keys that
/// they ignore. `dialect` must have hook files.
Json settings_schema(const Dialect& dialect);

}  // namespace grapnel
