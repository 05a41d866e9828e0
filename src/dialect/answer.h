#pragma once

#include <string>

#include "dialect/dialect.h"

/// Tells an agent what was decided. The output rows of its dialect, which describe how a hook's answer is read, are
/// read backwards here.
namespace grapnel {

/// What a hook process of that agent would print, and its exit code.
struct WireAnswer {
  std::string out;
  std::string err;
  int exit_code = 0;
};

/// The decision in the words of `to`. If there is nothing to say, nothing is printed, or what the agent expects in this
/// case (`DialectAnswer::silence`). Wishes that the agent does not understand degrade (degrade.h); a Deny without a
/// field becomes exit code 2.
WireAnswer write_answer(const Decision& decision, const Event& event, const Dialect& to);

/// Tells the agent that Grapnel itself failed: the agent is not blocked, and people can see the error. The caller also
/// prints the message on standard error.
WireAnswer write_own_error(const std::string& message, const Dialect& to);

/// A tool choice in the form of the dialect, and back. Reading returns nothing if the value is not a tool choice.
Json write_tool_choice(const ToolChoice& choice, const ToolChoiceShape& shape);
std::optional<ToolChoice> read_tool_choice(const Json& value, const ToolChoiceShape& shape);

}  // namespace grapnel
