#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/hook_spec.h"

/// The names under which hooks are looked up, so that most hooks need not be asked at all.
///
/// Several places leave out a hook because of the tool of an event: the index of the planner, and the cache, which does
/// not even read such hooks. They all use these functions, because all of them have to leave out the same hooks.
namespace grapnel::rule {

/// The first clause about this field, or null.
const Clause* clause_on(const HookSpec& hook, Field subject);

/// Patterns of which at least one fits the subject of every event for which the hook may run. If that is not known, one
/// pattern that fits everything.
std::vector<Matcher> patterns_on(const HookSpec& hook, Field subject);

/// All subjects that `patterns_on` fit, in any order; nothing if their number has no limit.
std::optional<std::vector<std::string>> names_on(const HookSpec& hook, Field subject);

}  // namespace grapnel::rule
