#pragma once

#include <string>
#include <vector>

#include "call/tool_call.h"
#include "model/hook_spec.h"

namespace grapnel::rule {

/// The files for `{files}` of a hook whose condition holds: those that the call writes, or names before it runs, and
/// that the condition is about. A hook without a condition on paths gets all of them. Absolute names.
std::vector<std::string> files_for(const HookSpec& hook, call::ToolCall& subject);

/// The same from the files that were touched in this turn, for hooks at events that are no tool calls.
std::vector<std::string> touched_files_for(const HookSpec& hook, call::ToolCall& subject);

}  // namespace grapnel::rule
