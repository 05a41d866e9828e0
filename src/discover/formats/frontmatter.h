#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "discover/formats/yaml_node.h"
#include "model/registry.h"

/// YAML as fields: a file of it, or the head of a HOOK.md between two lines of three dashes.
///
/// Of YAML this takes maps, lists and scalars, all scalars as text. Anchors, aliases, tags and keys that are there
/// twice are refused: what a guard says must be what one sees. A backslash that YAML does not know in double quotes
/// (`"\.py$"`, as the documentation of Agent Hooks has it) is taken literally, with a warning.
namespace grapnel {

struct Frontmatter {
  YamlNode root;  ///< a map
  std::vector<ConfigProblem> warnings;
};

/// The frontmatter of a document. Fails: BadConfig, with the place.
Result<Frontmatter> read_frontmatter(std::string_view document, const std::string& path);

/// A file that is one YAML map; an empty one is an empty map. Fails: BadConfig, with the place.
Result<Frontmatter> read_yaml_fields(std::string_view document, const std::string& path);

}  // namespace grapnel
