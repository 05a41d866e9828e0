#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dialect/dialect.h"
#include "model/registry.h"

/// `grapnel.yaml`, the native rule file.
///
///   version: 1
///   hooks:
///     - name: no-force-push            what it is called everywhere
///       on: PreToolUse                 an event, or a list; every agent's spelling
///       when: { tool: shell, … }       rule_condition.h
///       deny: Force pushes need …      rule_action.h, rule_command.h
///       timeout: 30s                   and what else any hook may have: rule_entry.h
///
/// A bad entry is one or more problems with file, line, column and a suggestion; it is left out, and its siblings load.
/// Of two entries of one name the second is left out. Rules that are well written and still cannot do what they seem to
/// are warnings (rule_checks.h).
namespace grapnel {

struct RuleFileOptions {
  Scope scope = Scope::User;
  std::string path;
  std::optional<std::chrono::milliseconds> default_timeout;  ///< over the usual 60 s
};

struct RuleFile {
  std::vector<HookSpec> hooks;
  std::vector<ConfigProblem> problems;
};

RuleFile read_rules(std::string_view text, const RuleFileOptions& options);

/// Whether a file of that name holds rules: `*.yaml`, `*.yml`.
bool names_rule_file(std::string_view path);

}  // namespace grapnel
