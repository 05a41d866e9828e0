#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grapnel/tool.h"

#include "dialect/dialect.h"

/// Tool and argument names across dialects: both ways through the tool's kind; names nobody knows stay as they are.
namespace grapnel {

/// The name under which `to` knows the tool that `from` calls `name`. Tools of MCP servers have a name everywhere; what
/// the event says about server and tool (`Field::McpContext`) is surer than what their name does.
std::string translate_tool_name(const Dialect& from, std::string_view name, const Dialect& to,
                                const Json& mcp_context = {});

/// The server and the tool that a name tells, as `Field::McpContext` has them; missing for other tools.
Json mcp_context_of(const Dialect& dialect, std::string_view name);

/// The tool of such a context, without its server.
std::string mcp_tool_of(const Json& context);

/// Whether the tool's arguments may have other names there.
bool has_other_arguments(const Dialect& from, std::string_view tool, const Dialect& to);

/// The tool's input with its arguments renamed. `tool` is the name in `from`.
Json translate_tool_input(const Dialect& from, std::string_view tool, const Json& input, const Dialect& to);

/// Every kind that a tool of this name is. A tool that stands behind aliases (one for all patches) is what these are
/// elsewhere; one that only another agent has is what it is there; what no table has is `Mcp` or `Other`.
std::vector<ToolKind> tool_kinds(const Dialect& dialect, std::string_view name);

/// Whether `matcher` names the tool, in this dialect or, by a name this one does not have itself, in another.
bool is_tool_named(const Dialect& dialect, std::string_view name, const Matcher& matcher);

/// Every file the input names, whatever the tool: members that the tables call a path, and lists of paths.
std::vector<std::string> tool_paths(const Json& input);

/// Patches among the input's members.
std::vector<std::string> tool_patches(const Json& input);

/// Where a shell tool is to run, as the input says it; "" when it does not.
std::string tool_directory(const Dialect& dialect, std::string_view tool, const Json& input);

/// The file a tool call is about and the command it would run, by the dialect's keys; missing when there is none.
Json tool_path(const Dialect& dialect, const Json& input);
Json tool_command(const Dialect& dialect, std::string_view tool, const Json& input);

}  // namespace grapnel
