#pragma once

#include <vector>

#include "grapnel/error.h"

#include "bridge/adapter.h"
#include "cli/console.h"
#include "cli/init/job.h"

namespace grapnel::cli {

/// Shows the jobs and reads which ones the person wants: numbers or names. An answer that cannot be read is explained,
/// and the question is repeated a few times. Fails: BadInput when there is no usable answer.
Result<std::vector<const Job*>> ask_for_jobs(Console& console);

/// Asks for each of the agents whether it should call Grapnel.
std::vector<const Adapter*> ask_for_agents(Console& console, const std::vector<const Adapter*>& found);

}  // namespace grapnel::cli
