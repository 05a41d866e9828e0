#pragma once

#include <string>
#include <string_view>

#include "dialect/dialect.h"

/// Tool and argument names across dialects: both ways through the tool's kind; names nobody knows stay as they are.
namespace grapnel {

/// The name under which `to` knows the tool that `from` calls `name`. Tools of MCP servers have a name everywhere; what
/// the event says about server and tool (`Field::McpContext`) is surer than what their name does.
std::string translate_tool_name(const Dialect& from, std::string_view name, const Dialect& to,
                                const Json& mcp_context = {});

/// The server and the tool that a name tells, as `Field::McpContext` has them; missing for other tools.
Json mcp_context_of(const Dialect& dialect, std::string_view name);

/// The tool's input with its arguments renamed. `tool` is the name in `from`.
Json translate_tool_input(const Dialect& from, std::string_view tool, const Json& input, const Dialect& to);

/// The file a tool call is about and the command it would run, by the dialect's keys; missing when there is none.
Json tool_path(const Dialect& dialect, const Json& input);
Json tool_command(const Dialect& dialect, std::string_view tool, const Json& input);

}  // namespace grapnel
