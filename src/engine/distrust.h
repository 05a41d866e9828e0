#pragma once

#include <string>
#include <vector>

#include "engine/event_run.h"

/// Hooks that do not run, and guards among them. A guard that may not fail silently does not vanish either when it is
/// not trusted, or no longer: then a person decides.
namespace grapnel {

/// Notes that a hook is skipped, and why. One that is skipped because its files changed counts as untrusted.
void skip_hook(EventRun& run, const HookSpec& hook, std::string why);

/// Notes that an answer is not used because the hook's files changed while it ran.
void reject_changed(EventRun& run, const HookSpec& hook);

/// Notes the hooks that the plan left out because they are not trusted.
void add_untrusted_guards(EventRun& run, const std::vector<uint32_t>& hooks);

}  // namespace grapnel
