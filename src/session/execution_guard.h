#pragma once

#include <string>

#include "grapnel/event.h"
#include "grapnel/session_store.h"

/// The execution guard: a tool call is decided once.
///
/// A host may report the same call again, because it retries or because two of its parts report it. The hooks have
/// already run for that call, so the session's memory answers instead of running them a second time. The memory is a
/// list of keys with decisions in `SessionState::remembered`.
namespace grapnel {

/// The call's key: its event kind, id, tool, input and the registry's digest. The tool and the input are part of it
/// because the same id with another tool (a tail call) or with other arguments is another call; the digest, because
/// other hooks may decide otherwise. "" for events that are not guarded: those without an id or without a tool call.
std::string guard_key(const Event& event, const std::string& registry_digest);

/// The decision remembered under the key; null when there is none. It lives as long as the state is not changed.
const Decision* recall_decision(const SessionState& state, const std::string& key);

/// Remembers a decision. The oldest goes when there are too many.
void remember_decision(SessionState& state, const std::string& key, const Decision& decision);

}  // namespace grapnel
