#pragma once

#include "discover/formats/rule_fields.h"
#include "model/hook_spec.h"

namespace grapnel {

/// The command of a rule: a text, or a list of arguments. Placeholders such as `{path}` become references to
/// environment variables. A text with placeholders that is otherwise plain words becomes a list of arguments; other
/// text goes to the shell. Mistakes are noted in `fields`.
CommandHandler read_command(const YamlNode& node, std::string_view key, RuleFields& fields);

/// What to write instead of a name in braces that people try and that is no placeholder; "" for any other name.
std::string_view hint_for_placeholder(std::string_view name);

}  // namespace grapnel
