#include "discover/formats/if_rule.h"

#include <algorithm>

#include "base/text.h"
#include "call/permission_rule.h"

namespace grapnel {

namespace {

bool is_tool_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return c == '_' || c == '-' || c == '*' || c == '.' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z');
  });
}

std::string_view kind_of(std::string_view tool, const Dialect& dialect) {
  const auto found = std::ranges::find(dialect.tools.rows, tool, &ToolRow::name);
  return found == dialect.tools.rows.end() ? std::string_view{} : found->kind;
}

bool add(std::string_view pattern, MatchSyntax syntax, Clause& clause) {
  auto matcher = Matcher::compile(pattern, syntax);
  if (matcher) clause.any_of.push_back(std::move(*matcher));
  return matcher.has_value();
}

/// A rule about edits is about every tool that changes files.
bool is_covered(std::string_view kind, const ToolRow& tool) {
  return kind == "edit" && (tool.kind == "edit" || tool.kind == "write");
}

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

bool add_command(std::string_view pattern, std::vector<Clause>& out) {
  Clause clause{Field::ToolCommand, {}};
  const bool ok = add(pattern, MatchSyntax::Command, clause);
  out.push_back(std::move(clause));
  return ok;
}

/// `//abs` is absolute; `~/x`, `/x`, `./x` and `x` are relative to places known later, hence at any depth.
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
