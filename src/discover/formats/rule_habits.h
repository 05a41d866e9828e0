#pragma once

#include <string>
#include <vector>

#include "discover/formats/yaml_node.h"
#include "model/registry.h"

/// Finds conditions that are written the way other tools want them and mean something else here.
///
///   tool: Write|Edit          one name with a bar in it; several tools are a list
///   command: 'rm.*-rf'        a regular expression where words are compared
///   path: migrations/         a directory; files in it are migrations/**
///
/// They are no mistakes of form, so the readers accept them; `grapnel check` says what they do not do. A new habit is a
/// row in the table in rule_habits.cc.
namespace grapnel {

/// Warns about the conditions of one entry of a rule file. Paths are looked up in the directory `project`.
void check_habits(const YamlNode& entry, const std::string& project, std::vector<ConfigProblem>& problems);

}  // namespace grapnel
