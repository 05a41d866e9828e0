#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dialect/dialect.h"
#include "discover/formats/yaml_node.h"
#include "model/registry.h"

/// The fields of a HOOK.md, checked one by one: every mistake is a problem with its place, and one error is enough to
/// keep the hook from being used.
namespace grapnel {

/// What a hook is checked against.
struct FieldRules {
  const Dialect& dialect;
  std::string directory;         ///< its own name, which the hook's must equal…
  bool must_be_so_named = true;  ///< …or else that is only a warning
};

/// What a HOOK.md says. `clauses` are compiled.
struct HookFields {
  std::string name;  ///< normalised
  std::string description;
  std::string trigger;  ///< as it is spelled
  const EventRow* event = nullptr;
  std::vector<Clause> clauses;
  std::optional<std::chrono::milliseconds> timeout;
  std::optional<bool> async;
  int priority = 100;
  std::vector<std::pair<std::string, std::string>> metadata;  ///< texts only

  std::string_view metadata_of(std::string_view key) const;
};

/// The fields of a map, or nothing when one of the problems it adds is an error.
std::optional<HookFields> read_hook_fields(const YamlNode& root, const FieldRules& rules,
                                           std::vector<ConfigProblem>& problems);

/// Whether a default for all hooks is one: `timeout`, `async`.
bool check_default(const std::string& key, const YamlNode& value, const Dialect& dialect,
                   std::vector<ConfigProblem>& problems);

}  // namespace grapnel
