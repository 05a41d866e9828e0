#include "discover/formats/if_rule.h"

#include <algorithm>

#include "base/text.h"
#include "call/permission_rule.h"

namespace grapnel {

namespace {

/// Tool names, also those of MCP servers, and globs over them.
bool is_tool_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return c == '_' || c == '-' || c == '*' || c == '.' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z');
  });
}

/// The kind of a tool in the dialect's table, or "" for an unknown tool.
std::string_view kind_of(std::string_view tool, const Dialect& dialect) {
  const auto found = std::ranges::find(dialect.tools.rows, tool, &ToolRow::name);
  return found == dialect.tools.rows.end() ? std::string_view{} : found->kind;
}

bool add(std::string_view pattern, MatchSyntax syntax, Clause& clause) {
  auto matcher = Matcher::compile(pattern, syntax);
  if (matcher) clause.any_of.push_back(std::move(*matcher));
  return matcher.has_value();
}

/// A rule about the edit tool applies to every tool that changes files, as in permission rules
/// (call/permission_rule.h).
bool is_covered(std::string_view kind, const ToolRow& tool) {
  return kind == "edit" && (tool.kind == "edit" || tool.kind == "write");
}

/// A clause with the tool itself, the tools that the rule covers as well, and the tools that this name is an alias of.
bool add_tool(std::string_view tool, const Dialect& dialect, std::vector<Clause>& out) {
  Clause clause{Field::ToolName, {}};
  const std::string_view kind = kind_of(tool, dialect);
  bool ok = add(tool, tool.contains('*') ? MatchSyntax::GlobBash : MatchSyntax::Exact, clause);
  for (const ToolRow& row : dialect.tools.rows) {
    if (is_covered(kind, row)) ok &= add(row.name, MatchSyntax::Exact, clause);
  }
  for (const ToolAlias& row : dialect.tools.aliases) {
    if (row.alias == tool) ok &= add(row.tool, MatchSyntax::Exact, clause);
  }
  out.push_back(std::move(clause));
  return ok;
}

/// A clause about the command of a shell tool; `MatchSyntax::Command` looks at each simple command in it.
bool add_command(std::string_view pattern, std::vector<Clause>& out) {
  Clause clause{Field::ToolCommand, {}};
  const bool ok = add(pattern, MatchSyntax::Command, clause);
  out.push_back(std::move(clause));
  return ok;
}

/// A clause about the path. `//abs` is absolute. `~/x`, `/x`, `./x` and `x` are relative to directories that are known
/// only when the event fires, so they match at any depth. A directory covers everything in it.
bool add_path(std::string_view pattern, std::vector<Clause>& out) {
  std::string glob;
  if (pattern.starts_with("//")) {
    glob = pattern.substr(1);
  } else {
    for (const std::string_view prefix : {"~/", "./", "/", "**/"}) {
      if (pattern.starts_with(prefix)) pattern.remove_prefix(prefix.size());
    }
    glob = "**/" + std::string(pattern);
  }
  Clause clause{Field::ToolPath, {}};
  const bool ok = add(glob, MatchSyntax::GlobBash, clause) && add(glob + "/**", MatchSyntax::GlobBash, clause);
  out.push_back(std::move(clause));
  return ok;
}

/// Names joined with `|`, as in `Edit|Write(src/**)`.
bool is_name_list(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return c == '_' || c == '|' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
}

bool is_path_kind(std::string_view kind) {
  return kind == "read" || kind == "write" || kind == "edit";
}

}  // namespace

std::optional<std::vector<Clause>> clauses_of_rule(std::string_view rule, const Dialect& dialect) {
  const auto [tool, pattern, is_closed] = call::split_rule(rule);
  // Rules cannot be combined; text that tries it would be read as one odd pattern.
  if (!is_tool_name(tool) || !is_closed || rule.contains(") ||") || rule.contains(") &&")) return std::nullopt;
  std::vector<Clause> clauses;
  bool ok = add_tool(tool, dialect, clauses);
  const auto& shells = dialect.tools.input_keys.command_tools;
  if (!pattern.empty()) {
    if (std::ranges::find(shells, tool) != shells.end()) {
      ok &= add_command(pattern, clauses);
    } else if (is_path_kind(kind_of(tool, dialect))) {
      ok &= add_path(pattern, clauses);
    }
  }
  if (!ok) return std::nullopt;
  return clauses;
}

/// The argument is compared with the command if one of the tools is a shell, otherwise with the path.
std::optional<ToolPattern> split_tool_pattern(std::string_view pattern, const Dialect& dialect) {
  const size_t open = pattern.find('(');
  if (open == std::string_view::npos || !pattern.ends_with(')') || !is_name_list(pattern.substr(0, open))) {
    return std::nullopt;
  }
  const std::string_view tools = pattern.substr(0, open);
  const auto& shells = dialect.tools.input_keys.command_tools;
  const bool is_shell = std::ranges::any_of(
      text::split(tools, '|'), [&](std::string_view tool) { return std::ranges::find(shells, tool) != shells.end(); });
  return ToolPattern{tools, pattern.substr(open + 1, pattern.size() - open - 2),
                     is_shell ? Field::ToolCommand : Field::ToolPath};
}

}  // namespace grapnel
