#pragma once

#include <set>
#include <string>
#include <vector>

#include "grapnel/event.h"
#include "grapnel/session_store.h"

#include "call/tool_call.h"

/// Calls that a person allowed for the rest of a session. Such an answer is for the hooks that asked then: if another
/// hook asks about the same call, the person is asked again.
namespace grapnel {

/// Identifies a call: the tool, its input and the directory. What only describes the call does not count.
std::string approval_key(const Event& event);

/// The approval that covers the call; null if there is none. `askers` are the hooks that ask about it now.
const SessionState::Approved* find_approval(const SessionState& state, call::ToolCall& asked,
                                            const std::set<std::string>& askers);

/// Adds an approval; the oldest is forgotten if there are too many.
void add_approval(SessionState& state, SessionState::Approved approved);

/// All approvals in a directory of `make_file_session_store`, the oldest first.
std::vector<SessionState::Approved> stored_approvals(const std::string& directory);

}  // namespace grapnel
