#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "dialect/dialect.h"
#include "model/hook_spec.h"

/// A hook's `if`: one permission rule, `Tool` or `Tool(specifier)`, as clauses.
///
/// The rule only says whether a hook can be left out, so clauses may match more than the rule does, never less: a path
/// rule relative to a directory that is known later holds at any depth, and a specifier of a tool that has neither a
/// command nor a path is not looked at.
namespace grapnel {

/// Nothing when the text is no such rule.
std::optional<std::vector<Clause>> clauses_of_rule(std::string_view rule, const Dialect& dialect);

/// A pattern over tools that has an argument, `Edit|Write(src/**)`, taken apart.
struct ToolPattern {
  std::string_view tools;
  std::string_view argument;
  Field subject = Field::None;  ///< what the argument is compared with
};
std::optional<ToolPattern> split_tool_pattern(std::string_view pattern, const Dialect& dialect);

}  // namespace grapnel
