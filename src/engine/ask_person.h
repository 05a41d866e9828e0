#pragma once

#include "engine/event_run.h"

namespace grapnel {

/// If the hooks' combined verdict is Ask, asks a person through the host (`HostOptions::person`), unless the person has
/// answered for the rest of the session. An answer changes the verdict, and only that: no Deny reaches this step, and
/// a rewrite stays as the person saw it. Without an answer everything stays as it is.
void ask_person(EventRun& run);

}  // namespace grapnel
