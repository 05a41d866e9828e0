#pragma once

#include <string>
#include <vector>

#include "grapnel/event.h"
#include "grapnel/session_store.h"

/// What the mere passing of an event does to its session, whether or not a hook listens to it. An event without a
/// session id changes nothing. A state that cannot be read or written is passed over here: the event's own hooks will
/// report it.
namespace grapnel {

/// A new prompt opens a turn: gates count from zero again, and no file was touched yet.
void start_turn(const Event& event, SessionStore& store);

/// No call of an ended session comes again, and hosts outlive their sessions: forgets the remembered decisions.
void end_session(const Event& event, SessionStore& store);

/// After a compaction the model no longer has what was injected before it.
void note_compaction(const Event& event, SessionStore& store);

/// Adds files written in this turn.
void note_touched(const Event& event, const std::vector<std::string>& files, SessionStore& store);

/// Whether `key` is new to the session, which then keeps it: for what is said once in a session. A session whose state
/// cannot be read hears it again.
bool is_first_time(const std::string& session_id, const std::string& key, SessionStore& store);

}  // namespace grapnel
