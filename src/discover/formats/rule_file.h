#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dialect/dialect.h"
#include "discover/formats/rule_fields.h"
#include "model/registry.h"

/// Reads `grapnel.yaml`, the native rule file.
///
///   version: 1
///   hooks:
///     - name: no-force-push            its name everywhere
///       on: PreToolUse                 an event or a list of events, in the spelling of any agent
///       when: { tool: shell, … }       rule_condition.h
///       deny: Force pushes need …      rule_action.h, rule_command.h
///       timeout: 30s                   and other keys that any hook may have: rule_entry.h
///
/// A bad entry is reported with file, line, column and a suggestion. It is left out, and the other entries are loaded.
/// If two entries have the same name, the second is left out. Rules that are written correctly and still cannot work
/// get warnings from `rule_checks.h`.
namespace grapnel {

struct RuleFileOptions {
  Scope scope = Scope::User;
  std::string path;
  std::optional<std::chrono::milliseconds> default_timeout;  ///< instead of the usual 60 s
};

struct RuleFile {
  std::vector<HookSpec> hooks;
  std::vector<ConfigProblem> problems;
  bool is_broken = false;  ///< the file as a whole cannot be used, so none of its entries was read
};

RuleFile read_rules(std::string_view text, const RuleFileOptions& options);

/// Every map that a rule file may have, with the keys that its reader accepts. The root is called `file`.
std::vector<RuleMap> rule_maps();

/// Whether a file with that name contains rules: `*.yaml`, `*.yml`.
bool names_rule_file(std::string_view path);

}  // namespace grapnel
