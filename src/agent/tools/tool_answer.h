#pragma once

#include <string>
#include <string_view>

#include "grapnel_agent/tool.h"

namespace grapnel::agent {

/// Builds a built-in tool. Its name is the canonical name of its kind; `schema` is JSON text.
Tool make_tool(ToolKind kind, std::string description, std::string schema,
               std::function<ToolResult(const Json& input, const ToolContext& context)> run);

/// Keeps about `limit` bytes of valid UTF-8: the beginning and the end, with a note in between on how much is missing.
/// The end is kept because errors are usually there.
std::string cut_middle(std::string_view text, size_t limit);

/// A successful result. Text that is too long loses its middle.
ToolResult answer(std::string_view text, const ToolContext& context, Json data = {});
ToolResult failure(ToolFailure kind, std::string text);
ToolResult failure(const Error& error);

/// `1 file`, `2 files`.
std::string count_of(size_t count, std::string_view noun);

/// The string argument with that name; "" if it is missing.
std::string text_argument(const Json& input, std::string_view name);

/// The real, absolute path that an argument names; the workspace's root if it is missing. Fails: Refused for a path
/// outside the workspace.
Result<std::string> path_argument(const Json& input, std::string_view name, const ToolContext& context);

}  // namespace grapnel::agent
