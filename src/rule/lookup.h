#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/hook_spec.h"

/// By which names hooks are looked up, so that most are never asked.
///
/// Whoever leaves a hook out because of an event's tool (the planner's index, the cache that does not even read it)
/// goes by what is said here: all of them have to leave out the same.
namespace grapnel::rule {

/// The first clause about a field, or null.
const Clause* clause_on(const HookSpec& hook, Field subject);

/// Patterns one of which fits the subject wherever the hook may run; one that fits everything when that cannot be said.
std::vector<Matcher> patterns_on(const HookSpec& hook, Field subject);

/// All the subjects that `patterns_on` fit, in any order, when they are finitely many.
std::optional<std::vector<std::string>> names_on(const HookSpec& hook, Field subject);

}  // namespace grapnel::rule
