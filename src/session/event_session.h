#pragma once

#include <string>

#include "grapnel/event.h"
#include "grapnel/session_store.h"

#include "session/hook_history.h"

/// The session as one event sees it: read once before the event's hooks run, written once when the decision is known.
///
///   load_session ──▶ EventSession ──▶ (hooks run; `history` notes what they did) ──▶ save_session
namespace grapnel {

struct EventSession {
  std::string id;           ///< "" when the event names no session: then nothing is read or written
  SessionState state;       ///< as it was when the event came in
  bool is_readable = true;  ///< false: the state could not be read, and `state` is a fresh one
  std::string guard_key;    ///< of the execution guard; "" where it does not apply
  HookHistory history;
};

/// Reads the state. Fails as `SessionStore::load` does; then the session counts as unreadable.
Result<void> load_session(EventSession& session, const Event& event, SessionStore& store);

/// Whether this gate was closed `limit` times in this turn already. An unreadable count reads as reached: otherwise the
/// gate might never open again.
bool is_gate_cap_reached(const EventSession& session, const Event& event, uint32_t limit);

/// Writes down what the decision means for later events: how often a gate was closed, what single hooks did, variables
/// for later hooks, and the decision itself for the execution guard. `is_gate` says that the event is a gate. Writes
/// nothing when there is nothing to keep. Fails as `SessionStore::update` does.
Result<void> save_session(const EventSession& session, const Event& event, const Decision& decision, bool is_gate,
                          SessionStore& store);

}  // namespace grapnel
