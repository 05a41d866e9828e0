#pragma once

#include <string>

#include "dialect/dialect.h"

/// Telling an agent what was decided: the output rows of its dialect, read backwards.
namespace grapnel {

/// What a hook process of that agent would print and how it would exit.
struct WireAnswer {
  std::string out;
  std::string err;
  int exit_code = 0;
};

/// The decision in the words of `to`. Nothing is printed where nothing was said. What the agent cannot express degrades
/// to the stricter thing it can: an Ask or a stop without a field becomes a Deny, and so does an input with arguments
/// removed where the agent only adds; a Deny without a field becomes exit code 2.
WireAnswer write_answer(const Decision& decision, const Event& event, const Dialect& to);

/// A tool choice in the dialect's shape, and back; missing / nothing when it is not one.
Json write_tool_choice(const ToolChoice& choice, const ToolChoiceShape& shape);
std::optional<ToolChoice> read_tool_choice(const Json& value, const ToolChoiceShape& shape);

}  // namespace grapnel
