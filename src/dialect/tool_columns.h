#pragma once

#include <span>
#include <string_view>

/// The rows that describe an agent's tools: their names, their arguments, and where a tool call names a file or a
/// command. Tools are translated between agents by way of their kind: two tools are the same if their rows have the
/// same kind. If an agent has several tools of a kind, all of them are understood, and the first row is written.
namespace grapnel {

/// One value of an argument that the agent spells differently.
struct ToolWord {
  std::string_view canonical;
  std::string_view wire;
};
/// One argument of a tool. If its wire name starts with a slash, it is a JSON pointer.
struct ToolArgument {
  std::string_view canonical;
  std::string_view wire;
  std::string_view in_each = {};         ///< The argument is a member of each element of this (canonical) argument.
  std::span<const ToolWord> words = {};  ///< Values of strings that are spelled differently.
  int unit = 1;            ///< What 1 is in canonical units: 1000 if the agent counts seconds, not milliseconds.
  bool only_read = false;  ///< An older spelling: it is understood, but never written.
};
/// One name of a tool, and the arguments whose names differ from the canonical ones.
struct ToolRow {
  std::string_view kind;  ///< `shell read write edit delete glob grep fetch search task todo`
  std::string_view name;
  std::span<const ToolArgument> arguments = {};
};

/// Another name that matchers may use for a tool.
struct ToolAlias {
  std::string_view alias;
  std::string_view tool;
};

/// How the tools of MCP servers are named: `<prefix><server><separator><tool>`, or `<prefix><tool>` if there is no
/// separator.
struct McpNames {
  std::string_view prefix = "mcp__";
  std::string_view separator = "__";
  bool splits_last = false;  ///< The name is split at the last separator, since names of servers may contain it.
  bool keeps_dots = false;   ///< Other agents replace dots by underscores.
};

/// Where the input of a tool names its file and its command. Matchers look at these.
struct InputKeys {
  std::span<const std::string_view> path_keys = {};
  std::span<const std::string_view> command_keys = {};
  std::span<const std::string_view> command_tools = {};  ///< The only tools that have a command; empty means all.
};

/// A place where the agent tells the exit code of a shell command after it ran. Most agents tell it only in the text
/// that their model reads.
struct ExitPlace {
  bool in_error = false;          ///< It is in the error (`Field::Error`) and not in the tool's output.
  std::string_view pointer = {};  ///< A JSON pointer to the number, or to the text; "" for the whole value.
  /// The beginning of the line in the text that tells it; the number follows. Empty if the value is a number.
  std::string_view line = {};
  bool is_last = false;  ///< The line comes behind the output of the command, which may contain such lines, too.
};

}  // namespace grapnel
