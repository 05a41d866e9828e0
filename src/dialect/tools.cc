#include "dialect/tools.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <ranges>
#include <vector>

/// Tools are translated in two steps, so that every dialect only has to describe itself: `Direction::In` turns names
/// and values of one agent into canonical ones, `Direction::Out` turns these into the names of the other agent. The
/// tools of two agents are the same if their rows have the same kind.
namespace grapnel {

namespace {

const ToolRow* find_by_kind(const Dialect& dialect, std::string_view kind) {
  const auto found = std::ranges::find(dialect.tools.rows, kind, &ToolRow::kind);
  return found == dialect.tools.rows.end() ? nullptr : &*found;
}

/// One tool in two dialects. A pointer is null if that dialect does not have the tool; both are null if the dialects
/// are the same, since nothing has to be translated then.
struct SameTool {
  const ToolRow* known = nullptr;
  const ToolRow* there = nullptr;
};
SameTool find_same_tool(const Dialect& from, std::string_view name, const Dialect& to) {
  const ToolRow* known = &from == &to ? nullptr : find_tool(from, name);
  return {known, known == nullptr ? nullptr : find_by_kind(to, known->kind)};
}

Json read_argument(const Json& input, std::string_view key) {
  return key.starts_with('/') ? input.at_pointer(key) : input[key];
}

/// The input with that argument set. A missing value removes the argument, and also the object around it if that is
/// empty then.
Json write_argument(const Json& input, std::string_view key, const Json& value) {
  if (!key.starts_with('/')) return input.with(key, value);
  const Json out = input.with_pointer(key, value);
  const std::string_view around = key.substr(0, key.rfind('/'));
  const bool is_emptied = !value && !around.empty() && out.at_pointer(around).size() == 0;
  return is_emptied ? out.with_pointer(around, {}) : out;
}

enum class Direction : uint8_t { In, Out };  // from the words of a dialect to canonical ones, and back

/// The other spelling of a value, or the value itself if no row mentions it.
Json convert_word(const Json& value, std::span<const ToolWord> words, Direction direction) {
  for (const ToolWord& word : words) {
    const bool is_in = direction == Direction::In;
    if (value.equals_string(is_in ? word.wire : word.canonical))
      return Json::string(is_in ? word.canonical : word.wire);
  }
  return value;
}

/// Converts between units. A whole number stays whole if the result is whole and does not overflow.
Json convert_number(const Json& value, int unit, Direction direction) {
  if (unit == 1 || !value.as_number()) return value;
  const auto whole = value.as_integer();
  if (direction == Direction::In) {
    const bool fits = whole && std::abs(*whole) < std::numeric_limits<int64_t>::max() / unit;
    return fits ? Json::number(*whole * unit) : Json::number(*value.as_number() * unit);
  }
  return whole && *whole % unit == 0 ? Json::number(*whole / unit) : Json::number(*value.as_number() / unit);
}

/// Moves an argument to its other name and converts its value. If the target already exists, it is kept and nothing
/// moves. If the target cannot be created (the path leads through something that is not an object), the argument stays
/// where it is.
Json move_argument(const Json& input, const ToolArgument& argument, Direction direction) {
  const bool is_in = direction == Direction::In;
  const std::string_view from = is_in ? argument.wire : argument.canonical;
  const std::string_view to = is_in ? argument.canonical : argument.wire;
  const Json value = read_argument(input, from);
  if (!value || (from != to && read_argument(input, to))) return input;
  const Json there = convert_number(convert_word(value, argument.words, direction), argument.unit, direction);
  const Json moved = there == value && from == to ? input : write_argument(input, to, there);
  if (from == to) return moved;
  return read_argument(moved, to) ? write_argument(moved, from, {}) : input;
}

/// Moves an argument in each element of a list; elements that are not objects stay as they are.
Json move_in_each(const Json& input, const ToolArgument& argument, Direction direction) {
  const Json list = input[argument.in_each];
  if (!list.is_array()) return input;
  std::vector<Json> elements;
  for (const Json& element : list.elements()) {
    elements.push_back(element.is_object() ? move_argument(element, argument, direction) : element);
  }
  return input.with(argument.in_each, Json::array(elements));
}

Json translate_argument(const Json& input, const ToolArgument& argument, Direction direction) {
  if (direction == Direction::Out && argument.only_read) return input;
  return argument.in_each.empty() ? move_argument(input, argument, direction)
                                  : move_in_each(input, argument, direction);
}

/// A tool of an MCP server.
struct McpTool {
  std::string server;
  std::string tool;
};

constexpr std::string_view kServerKey = "server_name";
constexpr std::string_view kToolKey = "tool_name";
constexpr std::string_view kUnknownServer = "unknown";  // for agents that only write the name of the tool

/// The server and the tool of an MCP tool, or nothing for other tools. The context of the event is preferred to the
/// name: if the separator is one underscore, the name alone does not tell where the name of the server ends.
std::optional<McpTool> read_mcp_name(const Dialect& dialect, std::string_view name, const Json& context) {
  if (context) {
    auto server = context[kServerKey].as_string();
    auto tool = context[kToolKey].as_string();
    if (server && tool) return McpTool{std::move(*server), std::move(*tool)};
  }
  const McpNames& names = dialect.tools.mcp;
  if (!name.starts_with(names.prefix) || find_tool(dialect, name) != nullptr) return std::nullopt;
  name.remove_prefix(names.prefix.size());
  // The agent only writes the name of the tool. Without a prefix, an MCP tool cannot be told from any other tool.
  if (names.separator.empty()) {
    if (names.prefix.empty() || name.empty()) return std::nullopt;
    return McpTool{std::string(kUnknownServer), std::string(name)};
  }
  const size_t end = names.splits_last ? name.rfind(names.separator) : name.find(names.separator);
  if (end == 0 || end == std::string_view::npos || end + names.separator.size() == name.size()) return std::nullopt;
  return McpTool{std::string(name.substr(0, end)), std::string(name.substr(end + names.separator.size()))};
}

/// Function names may only have letters, digits and a few signs. Agents replace everything else with an underscore.
std::string as_name(std::string_view text, bool keeps_dots) {
  const std::string_view also = keeps_dots ? "_-." : "_-";
  std::string out(text);
  for (char& c : out) {
    const bool is_kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                         also.find(c) != std::string_view::npos;
    if (!is_kept) c = '_';
  }
  return out;
}

std::string write_mcp_name(const Dialect& dialect, const McpTool& tool) {
  const McpNames& names = dialect.tools.mcp;
  const std::string named = as_name(tool.tool, names.keeps_dots);
  if (names.separator.empty()) return std::string(names.prefix) + named;
  return std::string(names.prefix) + as_name(tool.server, names.keeps_dots) + std::string(names.separator) + named;
}

/// The first of these members that is a string and not empty; missing if there is none.
Json first_string(const Json& object, std::span<const std::string_view> keys) {
  for (const std::string_view key : keys) {
    const Json value = object[key];
    if (value.is_string() && !value.equals_string("")) return value;
  }
  return {};
}

}  // namespace

std::string translate_tool_name(const Dialect& from, std::string_view name, const Dialect& to,
                                const Json& mcp_context) {
  if (&from == &to) return std::string(name);
  if (const auto tool = read_mcp_name(from, name, mcp_context)) return write_mcp_name(to, *tool);
  const ToolRow* there = find_same_tool(from, name, to).there;
  return std::string(there == nullptr ? name : there->name);
}

Json mcp_context_of(const Dialect& dialect, std::string_view name) {
  const auto tool = read_mcp_name(dialect, name, {});
  if (!tool) return {};
  return Json::object({{kServerKey, Json::string(tool->server)}, {kToolKey, Json::string(tool->tool)}});
}

std::string mcp_tool_name(const Dialect& dialect, std::string_view server, std::string_view tool) {
  return write_mcp_name(dialect, {std::string(server), std::string(tool)});
}

std::string mcp_tool_of(const Json& context) {
  return context[kToolKey].as_string().value_or("");
}

bool has_other_arguments(const Dialect& from, std::string_view tool, const Dialect& to) {
  const SameTool same = find_same_tool(from, tool, to);
  return same.there != nullptr && !(same.known->arguments.empty() && same.there->arguments.empty());
}

Json translate_tool_input(const Dialect& from, std::string_view tool, const Json& input, const Dialect& to) {
  const auto [known, there] = find_same_tool(from, tool, to);
  if (there == nullptr || !input.is_object()) return input;
  Json out = input;
  for (const ToolArgument& argument : known->arguments) out = translate_argument(out, argument, Direction::In);
  // In reverse, because the elements of a list are found by its canonical name: the list itself must be renamed last.
  for (const ToolArgument& argument : std::views::reverse(there->arguments)) {
    out = translate_argument(out, argument, Direction::Out);
  }
  return out;
}

Json tool_path(const Dialect& dialect, const Json& input) {
  return first_string(input, dialect.tools.input_keys.path_keys);
}

Json tool_command(const Dialect& dialect, std::string_view tool, const Json& input) {
  const auto& tools = dialect.tools.input_keys.command_tools;
  if (!tools.empty() && std::ranges::find(tools, tool) == tools.end()) return {};
  return first_string(input, dialect.tools.input_keys.command_keys);
}

}  // namespace grapnel
