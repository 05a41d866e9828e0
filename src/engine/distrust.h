#pragma once

#include <string>
#include <vector>

#include "engine/event_run.h"

/// Hooks that do not run because they are not trusted. Untrusting a guard must not open the door it guards: if the
/// hook's failure policy is not `open`, the event becomes an Ask and a person decides.
namespace grapnel {

/// Notes that a hook is skipped, and why. If the reason is that its files changed, it is treated as untrusted.
void skip_hook(EventRun& run, const HookSpec& hook, std::string why);

/// Notes that a hook's answer is not used because its files changed while it ran.
void reject_changed(EventRun& run, const HookSpec& hook);

/// Adds the hooks that the planner left out because they are not trusted.
void add_untrusted_guards(EventRun& run, const std::vector<uint32_t>& hooks);

}  // namespace grapnel
