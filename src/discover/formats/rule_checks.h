#pragma once

#include <vector>

#include "model/registry.h"

/// Finds rules that are written correctly and still do not do what they seem to do.
///
///   never matches      asks for something that none of its events has, or for commands of a tool that is not a shell
///   decides nothing    asks or allows where nobody can be asked, or changes something that the event does not have
///   shadowed           an earlier rule of the same scope already denies or asks wherever this one would
///   allows too much    an allow that covers a deny: the denial wins, so the allow looks wider than it is
///   slow               a regular expression that needs backtracking, which runs under a limit
///
/// It has no side effects and is meant for `grapnel check`, because it compares every pair of rules.
namespace grapnel {

/// `hooks` are in running order, as in a registry. Hooks that do not come from a rule file are ignored.
std::vector<ConfigProblem> check_rules(const std::vector<HookSpec>& hooks);

}  // namespace grapnel
