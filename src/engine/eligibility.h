#pragma once

#include <optional>
#include <string>

#include "engine/event_run.h"

/// The last check before a hook starts: its condition holds, but may it run now?
namespace grapnel {

/// The reason for a trusted project hook whose files differ from the ones that were trusted.
inline constexpr std::string_view kChangedSinceTrusted = "untrusted: it changed after it was trusted";

/// The reason for a hook that is no rule, if the host wants only rules to answer.
inline constexpr std::string_view kNoRule = "only rules answer here, and this is none";

/// Whether the execution guard watches over the hook at this event: its dialect runs hooks once for each tool call.
bool is_guarded(const EventRun& run, const HookSpec& hook);

/// Why the hook does not run; nullopt when it may. The checks, in this order:
///  1. the host cancelled the event,
///  2. it is guarded and has run for this call before (session/execution_guard.h),
///  3. an earlier hook ended the chain of its dialect,
///  4. the hook is disabled in this session,
///  5. the event comes from a model that itself judges for a hook, and the hook would ask a model about it,
///  6. its files changed after it was trusted,
///  7. it is no rule, and the host wants only rules to answer,
///  8. the session's history says so, for instance because it runs only once (session/hook_history.h).
std::optional<std::string> reason_to_skip(EventRun& run, const HookSpec& hook);

}  // namespace grapnel
