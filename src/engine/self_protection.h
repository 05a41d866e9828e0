#pragma once

#include <string>

#include "engine/event_run.h"

/// Self-protection: a person has to approve every tool call that would change hook files or Grapnel's own files.
namespace grapnel {

/// Why a person has to approve this event, whatever hooks say; "" if that is not necessary.
std::string own_files_concern(const Snapshot& snapshot, const Event& event);

/// Makes the event an Ask if there is a concern about the original event, or about the input as hooks rewrote it.
void protect_own_files(EventRun& run, std::string concern);

}  // namespace grapnel
