#pragma once

#include <vector>

#include "convert/convert.h"

/// Rule files (`grapnel.yaml`) are not a table-driven dialect like the others, so they have a writer of their own.
namespace grapnel {

/// Converts hooks to one rule file. A command becomes a rule with `run`, an HTTP hook one with `http`, and a question
/// to a model one with `prompt` or `agent`. A matcher of tools becomes `when`. Everything that a rule cannot express is
/// listed as a loss.
Conversion convert_to_rules(const std::vector<HookSpec>& hooks);

}  // namespace grapnel
