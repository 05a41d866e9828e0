#pragma once

#include "discover/formats/rule_fields.h"
#include "model/hook_spec.h"

namespace grapnel {

/// The command of a rule: a text, or a list of arguments. Placeholders such as `{path}` become references to
/// environment variables. A text with placeholders that is otherwise plain words becomes a list of arguments; other
/// text goes to the shell. Mistakes are noted in `fields`.
CommandHandler read_command(const YamlNode& node, std::string_view key, RuleFields& fields);

}  // namespace grapnel
