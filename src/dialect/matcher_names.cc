#include "dialect/matcher_names.h"

#include <algorithm>

#include "dialect/tools.h"

namespace grapnel {

namespace {

/// The kind of the tool that matchers of this dialect call by that name or alias, or "".
std::string_view kind_of(const Dialect& dialect, std::string_view name) {
  const auto alias = std::ranges::find(dialect.tools.aliases, name, &ToolAlias::alias);
  for (const ToolRow& row : dialect.tools.rows) {
    if (row.name == name || (alias != dialect.tools.aliases.end() && row.name == alias->tool)) return row.kind;
  }
  return {};
}

/// One tool can become several: a matcher for `Edit` has to name every editing tool of the other agent.
std::vector<std::string> tools_in(const Dialect& from, std::string_view name, const Dialect& to) {
  std::vector<std::string> out;
  const std::string_view kind = kind_of(from, name);
  if (kind.empty() && mcp_context_of(from, name)) return {translate_tool_name(from, name, to)};
  for (const ToolRow& row : to.tools.rows) {
    if (!kind.empty() && row.kind == kind) out.emplace_back(row.name);
  }
  const bool is_alias = std::ranges::find(to.tools.aliases, name, &ToolAlias::alias) != to.tools.aliases.end();
  // The other dialect may accept the name in matchers although it has no such tool (Codex: `Edit` for patches).
  if (out.empty() && is_alias) out.emplace_back(name);
  return out;
}

/// The spellings of a value in the other dialect, by way of the canonical one. "*" rows are defaults for writing
/// payloads and say nothing about a particular value.
std::vector<std::string> values_in(const Dialect& from, Field field, std::string_view name, const Dialect& to) {
  std::string_view canonical = name;
  for (const ValueRow& row : from.payload.values) {
    if (row.field == field && row.wire == name && row.canonical != "*") canonical = row.canonical;
  }
  std::vector<std::string> out;
  for (const ValueRow& row : to.payload.values) {
    if (row.field == field && row.canonical == canonical) out.emplace_back(row.wire);
  }
  if (out.empty()) out.emplace_back(canonical);
  return out;
}

}  // namespace

std::vector<std::string> names_in(const Dialect& from, Field field, std::string_view name, const Dialect& to) {
  if (&from == &to) return {std::string(name)};
  return field == Field::ToolName ? tools_in(from, name, to) : values_in(from, field, name, to);
}

}  // namespace grapnel
