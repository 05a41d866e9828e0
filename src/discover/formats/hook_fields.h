#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dialect/dialect.h"
#include "discover/formats/yaml_node.h"
#include "model/registry.h"
#include "model/sandbox.h"

/// Checks the fields of a HOOK.md one by one. Every mistake is reported with its position; a single error is enough to
/// leave the hook out. The fields come in as a tree into which defaults and overrides of `hooks.toml` are already
/// merged (hook_md.h).
namespace grapnel {

/// What the fields are checked against: the tables of the dialect and the directory of the hook.
struct FieldRules {
  const Dialect& dialect;
  std::string directory;         ///< the last part of its path, which must equal the name of the hook
  bool must_be_so_named = true;  ///< whether another name is an error or only a warning
};

/// The content of a HOOK.md after the checks. Values that the file does not set stay empty. The patterns in `clauses`
/// are compiled.
struct HookFields {
  std::string name;  ///< normalised
  std::string description;
  std::string trigger;  ///< as the file spells it
  const EventRow* event = nullptr;
  std::vector<Clause> clauses;
  std::optional<std::chrono::milliseconds> timeout;
  std::optional<bool> async;
  int priority = 100;
  std::vector<std::pair<std::string, std::string>> metadata;  ///< texts only
  std::optional<Sandbox> sandbox;                             ///< of the metadata

  /// The text of a metadata key, or "".
  std::string_view metadata_of(std::string_view key) const;
};

/// The fields of a map. Adds what is wrong to `problems`, and returns nothing when any of it is an error.
std::optional<HookFields> read_hook_fields(const YamlNode& root, const FieldRules& rules,
                                           std::vector<ConfigProblem>& problems);

/// Whether a default from `hooks.toml` (`timeout` or `async`) is usable; reports it otherwise. A timeout outside of its
/// range is moved into it, with a warning.
bool check_default(const std::string& key, YamlNode& value, const Dialect& dialect,
                   std::vector<ConfigProblem>& problems);

}  // namespace grapnel
