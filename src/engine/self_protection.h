#pragma once

#include <string>

#include "engine/event_run.h"

/// Self-protection: a tool call that reaches for hook files, or for Grapnel's own, is a person's to decide.
namespace grapnel {

/// Why a person has to agree to the event as the host told it, whatever hooks say; "" when nobody has to.
std::string own_files_concern(const Snapshot& snapshot, const Event& event);

/// Asks a person when there is a concern, also when it was a hook that made it such a call.
void protect_own_files(EventRun& run, std::string concern);

}  // namespace grapnel
