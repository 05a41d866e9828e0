#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grapnel/tool.h"

#include "dialect/dialect.h"

/// The names of tools and of their arguments in different dialects.
///
/// A name is translated by way of the kind of the tool (`shell`, `read`…): the table of one dialect leads to the kind,
/// and the table of the other dialect from the kind to its name. Names that are in no table stay as they are.
namespace grapnel {

/// The name that `to` has for the tool that `from` calls `name`. Tools of MCP servers have a name in every dialect.
/// What the event says about server and tool (`Field::McpContext`) is more reliable than their name.
std::string translate_tool_name(const Dialect& from, std::string_view name, const Dialect& to,
                                const Json& mcp_context = {});

/// The server and the tool that the name contains, in the form of `Field::McpContext`; missing for other tools.
Json mcp_context_of(const Dialect& dialect, std::string_view name);

/// The name that the dialect has for that tool of an MCP server.
std::string mcp_tool_name(const Dialect& dialect, std::string_view server, std::string_view tool);

/// The name of the tool in such a context, without its server.
std::string mcp_tool_of(const Json& context);

/// Whether an argument of the tool may have another name in the other dialect.
bool has_other_arguments(const Dialect& from, std::string_view tool, const Dialect& to);

/// The tool's input with its arguments renamed. `tool` is the name in `from`.
Json translate_tool_input(const Dialect& from, std::string_view tool, const Json& input, const Dialect& to);

/// The row of the tool in the dialect's table, or null.
const ToolRow* find_tool(const Dialect& dialect, std::string_view name);

/// `tool_kind` of grapnel/tool.h for a dialect that is at hand.
ToolKind tool_kind(const Dialect& dialect, std::string_view name);

/// Every kind that a tool of this name has. A tool with aliases, such as one for all patches, has the kinds of its
/// aliases. A tool that only another agent has is of the kind that it is there. A tool in no table is `Mcp` or `Other`.
std::vector<ToolKind> tool_kinds(const Dialect& dialect, std::string_view name);

/// Whether `matcher` matches the name of the tool in this dialect or, if this dialect does not use that name itself, in
/// another one. A tool of an MCP server has the name `mcp__server__tool` everywhere, too.
bool is_tool_named(const Dialect& dialect, std::string_view name, const Matcher& matcher, const Json& mcp_context = {});

/// Every file that the input names, whatever the tool: arguments that some table calls a path, and lists of paths.
std::vector<std::string> tool_paths(const Json& input);

/// Whether an argument of that name contains a command, in any dialect or in tools that no table has.
bool names_command(std::string_view key);

/// Whether no table says what the tool does, so that `guessed_kinds` may.
bool is_guessed(const Dialect& dialect, std::string_view tool);

/// What a tool that is in no table may be: a shell if its input has a command; one for files if it names a file and its
/// name is like that of one, or is missing. Good enough to deny, not to allow.
std::vector<ToolKind> guessed_kinds(const Dialect& dialect, std::string_view tool, const Json& input);

/// The texts in the input that may be patches.
std::vector<std::string> tool_patches(const Json& input);

/// The directory in which a shell tool should run, or "" if the input does not name one.
std::string tool_directory(const Dialect& dialect, std::string_view tool, const Json& input);

/// The file that a tool call is about, and the command that it runs, found by the keys of the dialect; missing if there
/// is none.
Json tool_path(const Dialect& dialect, const Json& input);
Json tool_command(const Dialect& dialect, std::string_view tool, const Json& input);

}  // namespace grapnel
