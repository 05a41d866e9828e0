#pragma once

#include <map>
#include <string>
#include <vector>

#include "discover/formats/yaml_node.h"
#include "model/registry.h"

/// Finds rules that are written correctly and still do not do what they seem to do.
///
///   never matches      asks for something that none of its events has, or for commands of a tool that is not a shell
///   decides nothing    asks or allows where nobody can be asked, or changes something that the event does not have
///   shadowed           an earlier rule of the same scope already denies or asks wherever this one would
///   allows too much    an allow that covers a deny: the denial wins, so the allow looks wider than it is
///   slow               a regular expression that needs backtracking, which runs under a limit
///   habits             written as other tools want it (rule_habits.h)
///   uses               keys that have another effect than it seems (rule_uses.h)
///
/// It has no side effects and is meant for `grapnel check`, because it compares every pair of rules.
namespace grapnel {

/// The rule files as they are written, by path. Hooks know where they start; this knows where each of their keys is.
struct RuleTexts {
  std::map<std::string, YamlNode> files;

  /// The entry of a hook, or null when its file is not among these.
  const YamlNode* entry_of(const HookSpec& hook) const;
};

/// Reads the files that these hooks come from once more.
RuleTexts read_rule_texts(const std::vector<HookSpec>& hooks, size_t max_bytes);

/// `hooks` are in running order, as in a registry. Hooks that do not come from a rule file are ignored. Paths in rules
/// are looked up in the directory `project`.
std::vector<ConfigProblem> check_rules(const std::vector<HookSpec>& hooks, const RuleTexts& texts = {},
                                       const std::string& project = "");

}  // namespace grapnel
