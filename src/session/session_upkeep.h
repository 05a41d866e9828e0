#pragma once

#include <string>
#include <vector>

#include "grapnel/event.h"
#include "grapnel/session_store.h"

/// Changes to a session that an event causes merely by happening, whether or not a hook listens to it. An event without
/// a session id changes nothing. Errors are ignored here, because they are reported when the event's own hooks need the
/// state.
namespace grapnel {

/// Notes when the session started, unless that is known.
void note_start(const Event& event, SessionStore& store);

/// A new prompt starts a turn: the counts of closed gates go back to zero, and no file has been touched yet. A prompt
/// that the agent sent to itself does not.
void start_turn(const Event& event, SessionStore& store);

/// Forgets the remembered decisions. No call of an ended session is repeated, and a host may live much longer than its
/// sessions. The project stays: an agent that reports an end by itself must not get rid of its guards.
void end_session(const Event& event, SessionStore& store);

/// After a compaction the model no longer has the texts that were injected before it.
void note_compaction(const Event& event, SessionStore& store);

/// Adds files that were written in this turn.
void note_touched(const Event& event, const std::vector<std::string>& files, SessionStore& store);

}  // namespace grapnel
