#pragma once

#include <optional>
#include <string>

#include "grapnel/json.h"

namespace grapnel::agent {

/// What is wrong with a value by a JSON Schema, with the place as a pointer; nothing when it fits. Understands type,
/// properties, required, additionalProperties: false, items, enum, minimum, maximum, minLength, minItems.
std::optional<std::string> violation(const Json& value, const Json& schema);

}  // namespace grapnel::agent
