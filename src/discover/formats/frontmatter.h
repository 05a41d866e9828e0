#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "discover/formats/yaml_node.h"
#include "model/registry.h"

/// Reads YAML into a tree of fields: a whole file, or the head of a HOOK.md between two lines of three dashes.
///
/// The reader accepts maps, lists and scalars, and keeps every scalar as text. It refuses anchors, aliases, tags and
/// duplicate keys: a guard must mean what people see in its file. A backslash in double quotes that YAML does not know
/// (`"\.py$"`, as in the documentation of Agent Hooks) is kept as it is, with a warning.
namespace grapnel {

struct Frontmatter {
  YamlNode root;  ///< a map
  std::vector<ConfigProblem> warnings;
};

/// The frontmatter of a document. Fails: BadConfig, with the position.
Result<Frontmatter> read_frontmatter(std::string_view document, const std::string& path);

/// A file that is one YAML map; an empty file is an empty map. Fails: BadConfig, with the position.
Result<Frontmatter> read_yaml_fields(std::string_view document, const std::string& path);

}  // namespace grapnel
