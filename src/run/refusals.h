#pragma once

#include <string>
#include <vector>

#include "model/run_outcome.h"

namespace grapnel {

/// What a process was refused in its sandbox, as far as it can be seen: the kernel tells only the process, so these are
/// the lines of its standard error that speak of a refusal, and the signals that mean one. At most five.
std::vector<std::string> refusals_of(const RunOutcome& outcome);

}  // namespace grapnel
