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

/// The decision in the words of `to`. Where nothing was said, nothing is printed, or what the agent wants for that.
/// What it cannot be told degrades (degrade.h); a Deny without a field becomes exit code 2.
WireAnswer write_answer(const Decision& decision, const Event& event, const Dialect& to);

/// How that agent is told that we failed: it is not blocked by it, and people can see it. The message itself goes to
/// standard error as well.
WireAnswer write_own_error(const std::string& message, const Dialect& to);

/// A tool choice in the dialect's shape, and back; missing / nothing when it is not one.
Json write_tool_choice(const ToolChoice& choice, const ToolChoiceShape& shape);
std::optional<ToolChoice> read_tool_choice(const Json& value, const ToolChoiceShape& shape);

}  // namespace grapnel
