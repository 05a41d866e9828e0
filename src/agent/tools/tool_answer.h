#pragma once

#include <string>
#include <string_view>

#include "grapnel_agent/tool.h"

namespace grapnel::agent {

/// A built-in tool: its name is the canonical one of its kind; the schema is JSON text.
Tool make_tool(ToolKind kind, std::string description, std::string schema,
               std::function<ToolResult(const Json& input, const ToolContext& context)> run);

/// At most about `limit` bytes of valid UTF-8: the beginning and the end, and in between how much is missing.
std::string cut_middle(std::string_view text, size_t limit);

/// Success, with the middle cut out of what is too long.
ToolResult answer(std::string_view text, const ToolContext& context, Json data = {});
ToolResult failure(ToolFailure kind, std::string text);
ToolResult failure(const Error& error);

/// `1 file`, `2 files`.
std::string count_of(size_t count, std::string_view noun);

/// The string argument of that name; "" without it.
std::string text_argument(const Json& input, std::string_view name);

/// The real, absolute path for an argument; the workspace's root without it. Fails: Refused outside the workspace.
Result<std::string> path_argument(const Json& input, std::string_view name, const ToolContext& context);

}  // namespace grapnel::agent
