#pragma once

#include <string>

#include "grapnel/event.h"
#include "grapnel/session_store.h"

/// The execution guard: in some dialects (`EventRunning::once_per_call`), the hooks of a tool call run once for each
/// event of the call.
///
/// A host may report the same call again, because it retries or because two of its parts report it. The guarded hooks
/// have already run for that call, so the session's memory answers for them. The memory is a list of keys with
/// decisions in `SessionState::remembered`. Hooks of other dialects run for every report.
///
/// The memory lasts as long as the call: the end of a call makes its beginning forgotten, and the beginning of a call
/// the end of an earlier one. Some model providers use the same ids again and again, so an id alone names no call.
namespace grapnel {

/// The guard's share of one event.
struct CallGuard {
  std::string key;             ///< "" where no guarded hook is planned or the event is not guarded
  const Decision* known = {};  ///< what guarded hooks decided when the call was reported before; null if it is new
  Decision said;               ///< what guarded hooks decide now
  bool has_said = false;       ///< some guarded hook ran
};

/// The call's key: its event kind, id, tool, input and the registry's digest. The tool and the input are part of it
/// because the same id with another tool (a tail call) or with other arguments is another call; the digest, because
/// other hooks may decide otherwise. "" for events that are not guarded: those without an id or without a tool call.
std::string guard_key(const Event& event, const std::string& registry_digest);

/// The decision remembered under the key; null when there is none. It lives as long as the state is not changed.
const Decision* recall_decision(const SessionState& state, const std::string& key);

/// Remembers a decision. The oldest goes when there are too many.
void remember_decision(SessionState& state, const std::string& key, const Decision& decision);

/// Forgets what guarded hooks said at the other moments of the event's call: they belong to the past of this call, or
/// to an earlier call with the same id. Does nothing for events that are not about a tool call with an id.
void forget_other_moments(const Event& event, SessionStore& store);

}  // namespace grapnel
