#include "dialect/tools.h"

#include <algorithm>

namespace grapnel {

namespace {

const ToolRow* find_by_name(const Dialect& dialect, std::string_view name) {
  const auto found = std::ranges::find(dialect.tools, name, &ToolRow::name);
  return found == dialect.tools.end() ? nullptr : &*found;
}

const ToolRow* find_by_kind(const Dialect& dialect, std::string_view kind) {
  const auto found = std::ranges::find(dialect.tools, kind, &ToolRow::kind);
  return found == dialect.tools.end() ? nullptr : &*found;
}

/// Moves a member to another key, keeping a member that already has that key.
Json rename(const Json& object, std::string_view from, std::string_view to) {
  if (from == to || !object[from] || object[to]) return object;
  return object.with(to, object[from]).without(from);
}

Json first_string(const Json& object, std::span<const std::string_view> keys) {
  for (const std::string_view key : keys) {
    const Json value = object[key];
    if (value.is_string() && !value.equals_string("")) return value;
  }
  return {};
}

}  // namespace

std::string_view translate_tool_name(const Dialect& from, std::string_view name, const Dialect& to) {
  if (&from == &to) return name;
  const ToolRow* known = find_by_name(from, name);
  if (known == nullptr) return name;
  const ToolRow* there = find_by_kind(to, known->kind);
  return there == nullptr ? name : there->name;
}

Json translate_tool_input(const Dialect& from, std::string_view tool, const Json& input, const Dialect& to) {
  const ToolRow* known = &from == &to ? nullptr : find_by_name(from, tool);
  const ToolRow* there = known == nullptr ? nullptr : find_by_kind(to, known->kind);
  if (there == nullptr || !input.is_object()) return input;
  Json out = input;
  for (const ToolArgument& argument : known->arguments) out = rename(out, argument.wire, argument.canonical);
  for (const ToolArgument& argument : there->arguments) out = rename(out, argument.canonical, argument.wire);
  return out;
}

Json tool_path(const Dialect& dialect, const Json& input) {
  return first_string(input, dialect.input_keys.path_keys);
}

Json tool_command(const Dialect& dialect, std::string_view tool, const Json& input) {
  const auto& tools = dialect.input_keys.command_tools;
  if (!tools.empty() && std::ranges::find(tools, tool) == tools.end()) return {};
  return first_string(input, dialect.input_keys.command_keys);
}

}  // namespace grapnel
