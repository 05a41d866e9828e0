#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "discover/formats/yaml_node.h"
#include "model/registry.h"

/// `hooks.toml` beside hook directories: switches, defaults and changes by name.
///
///   [hooks]
///   enabled = true
///   [hooks.defaults]
///   timeout = 30000
///   async = false
///   [[hooks.disable]]
///   name = "notify-slack"
///   [[hooks.override]]
///   name = "security-check"
///   priority = 1000
namespace grapnel {

struct HooksToml {
  std::optional<bool> enabled;
  YamlNode defaults;                                        ///< a map: `timeout`, `async`
  std::vector<std::string> disabled;                        ///< names
  std::vector<std::pair<std::string, YamlNode>> overrides;  ///< name → a map of frontmatter fields
  std::vector<ConfigProblem> problems;
};

/// Never fails: unusable parts are reported in `problems`, and the rest is used.
HooksToml read_hooks_toml(std::string_view text, const std::string& path);

}  // namespace grapnel
