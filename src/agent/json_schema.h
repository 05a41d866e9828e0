#pragma once

#include <optional>
#include <string>

#include "grapnel/json.h"

namespace grapnel::agent {

/// Returns the first way in which `value` breaks the JSON Schema, with its place as a JSON pointer (`/todos/0/status
/// must be one of …`); nothing when it conforms. The model reads this text and corrects its call.
///
/// Supports the keywords that tool schemas use: type, properties, required, additionalProperties: false, items, enum,
/// minimum, maximum, minLength, minItems. Others are ignored.
std::optional<std::string> violation(const Json& value, const Json& schema);

}  // namespace grapnel::agent
