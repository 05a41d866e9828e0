#pragma once

#include <string>

#include "grapnel/json.h"

/// Writes values into YAML files that people read and edit: test files and rules.
namespace grapnel::cli {

/// A value as YAML on one line: a string without quotes where that is safe, everything else as JSON. Readers get the
/// same value back in both cases.
std::string yaml_text(const Json& value);

}  // namespace grapnel::cli
