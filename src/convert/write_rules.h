#pragma once

#include <vector>

#include "convert/convert.h"

namespace grapnel {

/// Hooks as one rule file: a command becomes a rule with `run`, a post one with `http`, a question one with `prompt` or
/// `agent`; a matcher of tools becomes `when`. What a rule cannot say is listed.
Conversion convert_to_rules(const std::vector<HookSpec>& hooks);

}  // namespace grapnel
