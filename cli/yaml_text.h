#pragma once

#include <string>

#include "grapnel/json.h"

namespace grapnel::cli {

/// A value as YAML on one line: text without quotes where that is safe, maps and lists as JSON has them.
std::string yaml_text(const Json& value);

}  // namespace grapnel::cli
