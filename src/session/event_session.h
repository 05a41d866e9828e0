#pragma once

#include <string>

#include "grapnel/event.h"
#include "grapnel/session_store.h"

#include "session/execution_guard.h"
#include "session/hook_history.h"

/// The session as one event sees it. It is read once before the event's hooks run, and written once when the decision
/// is known.
///
///   load_session ──▶ EventSession ──▶ (hooks run; `history` notes what they did) ──▶ save_session
namespace grapnel {

struct EventSession {
  std::string id;           ///< "" when the event names no session: then nothing is read or written
  SessionState state;       ///< as it was when the event came in
  bool is_readable = true;  ///< false: the state could not be read, and `state` is a fresh one
  CallGuard guard;
  HookHistory history;
};

/// Reads the state. Fails as `SessionStore::load` does; then `is_readable` is false.
Result<void> load_session(EventSession& session, const Event& event, SessionStore& store);

/// Whether hooks have already closed this gate `limit` times in this turn. If the count cannot be read, the answer is
/// yes: otherwise the gate might never open again.
bool is_gate_cap_reached(const EventSession& session, const Event& event, uint32_t limit);

/// Saves everything that later events need: how often the gate was closed, what single hooks did, variables for later
/// hooks, and what guarded hooks decided, for the execution guard. `is_gate` says whether the event is a gate. Writes
/// nothing if there is nothing to keep. Fails as `SessionStore::update` does.
Result<void> save_session(const EventSession& session, const Event& event, const Decision& decision, bool is_gate,
                          SessionStore& store);

}  // namespace grapnel
