#pragma once

#include "engine/event_run.h"
#include "engine/snapshot.h"

/// Tells people that a guard is off: hooks are not trusted, a hook file is broken, a gate gave up, a hook failed and
/// let the event pass.
///
/// Such a text is a message of the decision, so the host gets it as a notice and an agent gets it in its answer, where
/// its table has a place for it. Everything is told once per session and cause: the session's state keeps the causes,
/// so several processes agree. An agent that shows no message at this event gets the text again at the next event at
/// which it does; until then it waits in the session's state.
///
/// An event without a session id counts for a session of its project and day, as far as lasting causes are concerned.
/// What just happened is told every time then.
namespace grapnel {

/// Adds what people have to be told now to the messages of the decision, and removes what they were told before.
void tell_people(Decision& decision, const Event& event, const Snapshot& snapshot, const LineContext& context);

}  // namespace grapnel
