#pragma once

#include <vector>

#include "discover/formats/yaml_node.h"
#include "model/registry.h"

/// Finds keys of a rule that have no effect, or not the one that their author thinks of, together with the rest of the
/// rule: `{path}` at an event without a file, `timeout: 30000`, `async` on a guard.
namespace grapnel {

/// Warns about one hook; `entry` is what its file says.
void check_uses(const HookSpec& hook, const YamlNode& entry, std::vector<ConfigProblem>& problems);

/// The kinds of event that a hook listens to, and their names for messages.
std::vector<EventKind> events_of(const HookSpec& hook);
std::string names_of(const std::vector<EventKind>& kinds);

/// Whether some agent sends that field at that event.
bool has_field(EventKind kind, Field field);

}  // namespace grapnel
