#pragma once

#include "engine/event_run.h"

namespace grapnel {

/// If the hooks' combined verdict is Ask, and rules of the user or the administrator allow the call and name all hooks
/// that ask (`answers`), this is the answer: the verdict becomes Allow. A user's rule answers no managed hook.
void answer_by_rules(EventRun& run);

/// If the hooks' combined verdict is Ask, asks a person through the host (`HostOptions::person`), unless the person has
/// answered for the rest of the session. An answer changes the verdict, and only that: no Deny reaches this step, and
/// a rewrite stays as the person saw it. Without an answer everything stays as it is.
void ask_person(EventRun& run);

}  // namespace grapnel
