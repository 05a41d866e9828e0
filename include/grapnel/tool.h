#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "grapnel/json.h"

/// Tools, whatever an agent calls them: one kind, many names, arguments renamed both ways by the dialects' tables.
namespace grapnel {

enum class ToolKind : uint8_t { Shell, Read, Write, Edit, Delete, Glob, Grep, Fetch, Search, Task, Todo, Mcp, Other };
/// `shell`.
std::string_view to_string(ToolKind kind);

/// What a call can do to the machine, as permission callbacks see it.
enum class ToolAccess : uint8_t { ReadOnly, Write, Execute, Mcp };
/// `readonly`, `write`, `execute`, `mcp`.
std::string_view to_string(ToolAccess access);
ToolAccess access_of(ToolKind kind);

/// A tool call in the words of a dialect.
struct NamedCall {
  std::string dialect;
  std::string name;
  Json input;
};

/// The dialect that knows a tool by this name: the preferred one, or else the first that does; "" when none does.
std::string_view dialect_of_tool(std::string_view name, std::string_view preferred);

/// What the tool does; `Mcp` and `Other` when no table of the dialect has its name.
ToolKind tool_kind(std::string_view name, std::string_view dialect);

/// The first name of that dialect for a kind of tool; "" when it has none.
std::string_view tool_name(ToolKind kind, std::string_view dialect);

/// The call as another dialect writes it; names that are in no table stay.
NamedCall in_dialect(const NamedCall& call, std::string_view dialect);

/// The JSON Schema of a tool's input as another dialect names and nests its arguments. The tool's name is canonical.
Json schema_in_dialect(std::string_view tool, const Json& schema, std::string_view dialect);

}  // namespace grapnel
