#pragma once

#include <vector>

#include "model/registry.h"

/// Rules that are well written and still do not do what they seem to.
///
///   never matches      asks for what none of its events has, or for commands of a tool that is no shell
///   decides nothing    asks or allows where nobody can be asked, changes what the event does not have
///   shadowed           an earlier rule of the same scope denies or asks wherever it would
///   allows too much    an allow that covers a deny: the denial wins, so the allow reads wider than it is
///   slow               a regular expression that needs backtracking, which runs under a limit
///
/// Pure, and meant for `grapnel check`: it compares every two rules.
namespace grapnel {

/// `hooks` in running order, as a registry has them; hooks that come from no rule file are left alone.
std::vector<ConfigProblem> check_rules(const std::vector<HookSpec>& hooks);

}  // namespace grapnel
