#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "dialect/dialect.h"
#include "model/hook_spec.h"

/// Turns the `if` of a hook into clauses. It is one permission rule: `Tool` or `Tool(specifier)`.
///
/// The rule only decides whether a hook can be left out. So the clauses may match more than the rule does, but never
/// less: a path that is relative to a directory known only later matches at any depth, and the specifier of a tool that
/// has neither a command nor a path is ignored.
namespace grapnel {

/// The clauses of a rule, or nothing when the text is not a rule.
std::optional<std::vector<Clause>> clauses_of_rule(std::string_view rule, const Dialect& dialect);

/// The parts of a tool pattern that has an argument: `Edit|Write(src/**)`.
struct ToolPattern {
  std::string_view tools;
  std::string_view argument;
  Field subject = Field::None;  ///< the field that the argument is compared with
};
std::optional<ToolPattern> split_tool_pattern(std::string_view pattern, const Dialect& dialect);

}  // namespace grapnel
