#include <algorithm>
#include <array>

#include "grapnel/tool.h"

#include "dialect/tools.h"

namespace grapnel {

namespace {

/// The name of each `ToolKind`, in the order of the enumeration. `ToolRow::kind` uses these words.
constexpr auto kKinds = std::to_array<std::string_view>(
    {"shell", "read", "write", "edit", "delete", "glob", "grep", "fetch", "search", "task", "todo", "mcp", "other"});
static_assert(kKinds.size() == static_cast<size_t>(ToolKind::Other) + 1);

constexpr auto kAccess = std::to_array<std::string_view>({"readonly", "write", "execute", "mcp"});
static_assert(kAccess.size() == static_cast<size_t>(ToolAccess::Mcp) + 1);

/// Names of MCP tools start with this in most agents, whatever separates server and tool behind it.
constexpr std::string_view kMcpPrefix = "mcp_";

/// The prefix is enough, even if the dialect is not known: a host may pass a call on from any agent.
ToolKind unknown_kind(const Dialect* dialect, std::string_view name) {
  const bool is_mcp = name.starts_with(kMcpPrefix) || (dialect != nullptr && mcp_context_of(*dialect, name));
  return is_mcp ? ToolKind::Mcp : ToolKind::Other;
}

/// Compares the first letters before all of them, because most names in a table differ there.
bool is_same_name(std::string_view a, std::string_view b) {
  return a.size() == b.size() && !a.empty() && a.front() == b.front() && a == b;
}

}  // namespace

const ToolRow* find_tool(const Dialect& dialect, std::string_view name) {
  for (const ToolRow& row : dialect.tools.rows) {
    if (is_same_name(row.name, name)) return &row;
  }
  return nullptr;
}

std::string_view to_string(ToolKind kind) {
  return kKinds[static_cast<size_t>(kind)];
}

std::string_view to_string(ToolAccess access) {
  return kAccess[static_cast<size_t>(access)];
}

/// Fetching a page, a subagent and unknown tools can do anything, so they are in the most powerful class.
ToolAccess access_of(ToolKind kind) {
  switch (kind) {
    case ToolKind::Read:
    case ToolKind::Glob:
    case ToolKind::Grep:
    case ToolKind::Search:
    case ToolKind::Todo:
      return ToolAccess::ReadOnly;
    case ToolKind::Write:
    case ToolKind::Edit:
    case ToolKind::Delete:
      return ToolAccess::Write;
    case ToolKind::Mcp:
      return ToolAccess::Mcp;
    case ToolKind::Shell:
    case ToolKind::Fetch:
    case ToolKind::Task:
    case ToolKind::Other:
      return ToolAccess::Execute;
  }
  return ToolAccess::Execute;
}

/// Agents share many names. The preferred dialect decides first, since `Task` or `glob` alone do not identify an agent.
std::string_view dialect_of_tool(std::string_view name, std::string_view preferred) {
  const Dialect* first = find_dialect(preferred);
  if (first != nullptr && find_tool(*first, name) != nullptr) return first->name;
  for (const Dialect* dialect : all_dialects()) {
    if (find_tool(*dialect, name) != nullptr) return dialect->name;
  }
  return {};
}

CallHabits call_habits(std::string_view dialect_name) {
  const Dialect* dialect = find_dialect(dialect_name);
  return dialect == nullptr ? CallHabits{} : dialect->tools.habits;
}

ToolKind tool_kind(const Dialect& dialect, std::string_view name) {
  const ToolRow* row = find_tool(dialect, name);
  if (row == nullptr) return unknown_kind(&dialect, name);
  const auto is_its = [&](std::string_view kind) { return is_same_name(kind, row->kind); };
  return static_cast<ToolKind>(std::ranges::find_if(kKinds, is_its) - kKinds.begin());
}

ToolKind tool_kind(std::string_view name, std::string_view dialect_name) {
  const Dialect* dialect = find_dialect(dialect_name);
  return dialect == nullptr ? unknown_kind(nullptr, name) : tool_kind(*dialect, name);
}

std::string_view tool_name(ToolKind kind, std::string_view dialect_name) {
  const Dialect* dialect = find_dialect(dialect_name);
  if (dialect == nullptr) return {};
  const auto row = std::ranges::find(dialect->tools.rows, to_string(kind), &ToolRow::kind);
  return row == dialect->tools.rows.end() ? std::string_view{} : row->name;
}

std::string mcp_tool_name(std::string_view server, std::string_view tool, std::string_view dialect_name) {
  const Dialect* dialect = find_dialect(dialect_name);
  return dialect == nullptr ? "" : mcp_tool_name(*dialect, server, tool);
}

NamedCall in_dialect(const NamedCall& call, std::string_view dialect_name) {
  const Dialect* from = find_dialect(call.dialect);
  const Dialect* to = find_dialect(dialect_name);
  if (from == nullptr || to == nullptr) return call;
  return {std::string(to->name), translate_tool_name(*from, call.name, *to, call.mcp_context),
          translate_tool_input(*from, call.name, call.input, *to), call.mcp_context};
}

}  // namespace grapnel
