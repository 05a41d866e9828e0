#include <algorithm>

#include "cli/doctor/doctor.h"
#include "cli/hook_source.h"
#include "cli/project_hooks.h"
#include "discover/discover.h"

namespace grapnel::cli {

// The registry is made from files, which the switches and the settings are not part of, so an engine is asked which
// hooks are off, which only observe and which are warm.
Registry registry_of(const Invocation& in, const ProjectDirs& project) {
  DiscoverOptions options;
  options.roots = places_of(project, in.env);
  options.trust_store = trust_store(in.env).path();
  Registry registry = discover(options).registry;
  const auto source = hook_source(in.args, in.env, project);
  if (!source) return registry;
  for (const HookInfo& info : Engine::create(*source)->hooks()) {
    const auto is_same = [&](const HookSpec& hook) { return hook.name == info.name && hook.source == info.source; };
    const auto hook = std::ranges::find_if(registry.hooks, is_same);
    if (hook == registry.hooks.end()) continue;
    hook->enabled = info.enabled;
    if (info.observes) hook->mode = Mode::ObserveFromAbove;
    hook->warm = info.warm;
  }
  return registry;
}

}  // namespace grapnel::cli
