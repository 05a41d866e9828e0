#pragma once

#include <optional>
#include <string>

#include "engine/event_run.h"

/// The last check before a hook starts: its condition holds, but may it run now?
namespace grapnel {

/// The reason for a trusted project hook whose files differ from the ones that were trusted.
inline constexpr std::string_view kChangedSinceTrusted = "untrusted: it changed after it was trusted";

/// Why the hook does not run; nullopt when it may. The checks, in this order:
///  1. the host cancelled the event,
///  2. an earlier hook ended the chain of its dialect,
///  3. the hook is disabled in this session,
///  4. the event comes from a model that itself judges for a hook, and the hook would ask a model about it,
///  5. its files changed after it was trusted,
///  6. the session's history says so, for instance because it runs only once (session/hook_history.h).
std::optional<std::string> reason_to_skip(EventRun& run, const HookSpec& hook);

}  // namespace grapnel
