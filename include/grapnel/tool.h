#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "grapnel/json.h"

/// The tools that models call, and their names in different agents.
///
/// Every agent has a tool that runs shell commands, but Claude Code calls it `Bash` and Gemini CLI `run_shell_command`;
/// their arguments differ, too. A *dialect* is the vocabulary of one agent; the dialect `canonical` is Grapnel's own.
/// `ToolKind` says what a tool does, independent of its name, and `in_dialect` translates a call from one vocabulary to
/// another:
///
///   in_dialect({"gemini", "run_shell_command", input}, "claude").name    // "Bash"
///   access_of(tool_kind("Bash", "claude"))                               // ToolAccess::Execute
///
/// All functions here are pure. Thread: any.
namespace grapnel {

/// What a tool does. `Mcp` is a tool of an MCP server, whatever it does; `Other` is a tool that Grapnel does not know.
enum class ToolKind : uint8_t { Shell, Read, Write, Edit, Delete, Glob, Grep, Fetch, Search, Task, Todo, Mcp, Other };
/// The name of the kind in lower case, `shell`; rules use it in `when: { tool: shell }`.
std::string_view to_string(ToolKind kind);

/// What a call can do to the machine, for permission callbacks. Fetching a page, starting a subagent and unknown tools
/// are `Execute`, the most powerful class.
enum class ToolAccess : uint8_t { ReadOnly, Write, Execute, Mcp };
/// `readonly`, `write`, `execute`, `mcp`.
std::string_view to_string(ToolAccess access);
/// The access that tools of this kind have.
ToolAccess access_of(ToolKind kind);

/// A tool call with the names of one dialect.
struct NamedCall {
  /// The dialect whose names the call uses: `claude`, `gemini`, `canonical`…
  std::string dialect;
  std::string name;
  Json input;
  /// If the tool belongs to an MCP server: the server and the tool, in the form of `Field::McpContext`. More reliable
  /// than the name, in which one underscore may be all that separates the two.
  Json mcp_context = {};
};

/// The dialect that has a tool of this name: `preferred` if it has one, otherwise the first dialect that does, or "".
std::string_view dialect_of_tool(std::string_view name, std::string_view preferred);

/// What the tool of this name does in that dialect. If the dialect does not know the name, the result is `Mcp` for
/// names of MCP tools and `Other` for the rest.
ToolKind tool_kind(std::string_view name, std::string_view dialect);

/// The name of that kind of tool in a dialect, or "" if it has no such tool. If there are several, the first one.
std::string_view tool_name(ToolKind kind, std::string_view dialect);

/// The name of a tool of an MCP server in a dialect: `mcp__github__search`, `mcp_github_search`… Characters that names
/// of tools may not have become underscores. "" if the dialect is unknown.
std::string mcp_tool_name(std::string_view server, std::string_view tool, std::string_view dialect);

/// The same call with the names of another dialect. Names that are in no table, such as those of a host's own tools,
/// stay as they are; if either dialect is unknown, so does the whole call.
NamedCall in_dialect(const NamedCall& call, std::string_view dialect);

/// What the agent of a dialect does around the tool calls of its model, for hosts that act like that agent.
struct CallHabits {
  /// If a person refuses a call, the turn ends, and the model is not asked again until the next prompt. Calls of the
  /// same response that have not begun are cancelled, too.
  bool refusal_ends_turn = false;
  /// What stands around the context that hooks add to the result of a call.
  std::string_view context_begin = "[Hook Context]\n";
  std::string_view context_end = "";
};
/// The habits of that agent; the usual ones if the dialect is unknown.
CallHabits call_habits(std::string_view dialect);

/// The JSON Schema of a tool's input with the argument names and the nesting of another dialect, for hosts that offer
/// their model the tools of that agent. `tool` is the canonical name.
Json schema_in_dialect(std::string_view tool, const Json& schema, std::string_view dialect);

}  // namespace grapnel
