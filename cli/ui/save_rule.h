#pragma once

#include <string>
#include <vector>

#include "grapnel/json.h"

#include "base/environment.h"
#include "cli/ui/shared_journal.h"
#include "model/hook_spec.h"

namespace grapnel::cli {

/// What `grapnel check` says about the text, and the rules in it: `{problems, rules}`. Fails: System, Unavailable.
Result<Json> check_yaml(const Environment& env, const std::string& yaml);

struct RuleToSave {
  std::string yaml;  ///< a rule file
  Scope scope = Scope::User;
  std::string project = {};           ///< for the project's scope; "": that of the current directory
  std::vector<std::string> ids = {};  ///< events that become tests, with what the rules say about them now
};

/// Adds the rules to the rule file, as `grapnel init` adds those of its jobs: what is there stays as it is. Fails:
/// BadInput, BadConfig, Refused, Cancelled when there is a rule of that name, System.
Result<Json> save_rule(const Environment& env, SharedJournal& journal, const RuleToSave& rule);

}  // namespace grapnel::cli
