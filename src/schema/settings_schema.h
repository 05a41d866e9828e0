#pragma once

#include "dialect/dialect.h"

namespace grapnel {

/// A JSON Schema (2020-12) of a dialect's hook files, made from its tables: settings in JSON, TOML as the JSON it says,
/// or the frontmatter of a HOOK.md. What readers take, it takes; keys that are ignored are allowed. `dialect` must have
/// hook files.
Json settings_schema(const Dialect& dialect);

}  // namespace grapnel
