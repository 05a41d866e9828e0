#pragma once

#include "discover/formats/rule_fields.h"
#include "model/hook_spec.h"

namespace grapnel {

/// The command of a rule: a text, or a list of arguments. `{path}` and the like become references to variables. A text
/// of plain words is an argument vector; other text is for the shell.
CommandHandler read_command(const YamlNode& node, std::string_view key, RuleFields& fields);

}  // namespace grapnel
