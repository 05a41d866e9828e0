#pragma once

#include <string>

#include "grapnel/json.h"

namespace grapnel::cli {

/// A rule file with one rule that denies what this event was about: its command with its flags, or its file. A person
/// goes on from there.
std::string rule_for_event(const Json& record);

}  // namespace grapnel::cli
