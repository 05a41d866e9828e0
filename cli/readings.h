#pragma once

#include <optional>

#include "grapnel/json.h"

namespace grapnel::cli {

/// If a payload has the same key twice in one object, readers disagree: most take the last member, some the first.
/// Grapnel takes the last one. This is the other reading, in which the first one counts; nothing if no key is there
/// twice. An agent never writes such a payload by itself, so both readings are asked, and the stricter answer counts.
std::optional<Json> other_reading(const Json& payload);

}  // namespace grapnel::cli
