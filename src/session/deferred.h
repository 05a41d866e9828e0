#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "grapnel/session_store.h"

#include "model/hook_spec.h"

/// What hooks with `debounce` have collected in a session and have not run for yet (`SessionState::deferred`).
///
/// All changes happen under the session's lock, so that events in different processes agree: each file is taken by
/// exactly one run. A hook that waits for quiet has one waiter, which is a thread or a process. It holds a lease until
/// the moment when it will look again; if it dies, the next event of the hook, or the end of the turn, takes over.
///
///   collect … collect … collect ──▶ take_if_quiet (a waiter) or take_deferred (at the end of the turn)
namespace grapnel {

/// Milliseconds since the epoch; processes that share a session compare them.
int64_t now_ms();

/// Adds files for the hook, which may be none, and puts off its run. Returns whether the caller has to start a waiter.
/// Fails as `SessionStore::update` does.
Result<bool> collect(const HookSpec& hook, const std::vector<std::string>& files, const std::string& session_id,
                     SessionStore& store);

/// Whether the hook has collected something for which it should run now, at the end of a turn. A hook that waits for
/// quiet should if nobody waits for it any more, or if no other event will come (`is_last`).
bool is_due(const HookSpec& hook, const SessionState& state, bool is_last);

/// Takes what the hook has collected; nothing if somebody else has taken it.
std::optional<std::set<std::string>> take_deferred(const HookSpec& hook, const std::string& session_id,
                                                   SessionStore& store);

/// What a waiter finds when it looks.
struct Look {
  std::optional<std::set<std::string>> files;  ///< set if it is time to run
  int64_t look_again_ms = 0;                   ///< otherwise when to look again; 0: there is nothing to wait for
};
/// Takes what was collected if it has been quiet for long enough, and renews the lease if not.
Look take_if_quiet(const std::string& hook_key, const std::string& session_id, SessionStore& store);

}  // namespace grapnel
