#pragma once

#include <optional>
#include <string>

#include "engine/event_run.h"

/// Whether a hook whose condition holds may run now.
namespace grapnel {

/// The hook is a trusted project hook, but its files are no longer the ones that were trusted.
inline constexpr std::string_view kChangedSinceTrusted = "untrusted: it changed after it was trusted";

/// Why the hook does not run; nothing when it does. Reasons, in this order: the event was given up, an earlier hook
/// ended the dialect's chain, the session has it switched off, it would judge a judge's own doings, it changed after it
/// was trusted, the session's history of this hook says so (see session/hook_history.h).
std::optional<std::string> reason_to_skip(EventRun& run, const HookSpec& hook);

}  // namespace grapnel
