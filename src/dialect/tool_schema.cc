#include <algorithm>
#include <ranges>
#include <utility>
#include <vector>

#include "grapnel/tool.h"

#include "dialect/tools.h"

/// Translates the JSON Schema of a tool's input in the same way as `translate_tool_input` translates the input itself:
/// a model that is offered this schema makes calls that the other agent's hooks understand. Only what the tables
/// mention changes; everything else stays.
namespace grapnel {

namespace {

constexpr std::string_view kProperties = "/properties/";

bool requires_member(const Json& schema, std::string_view name) {
  return std::ranges::any_of(schema["required"].elements(), [&](const Json& one) { return one.equals_string(name); });
}

/// The schema with the required member `from` renamed to `to`. Several arguments may move into one object, which must
/// be listed only once.
Json with_required(const Json& schema, std::string_view from, std::string_view to) {
  if (!requires_member(schema, from)) return schema;
  std::vector<Json> names;
  bool has_target = false;
  for (const Json& name : schema["required"].elements()) {
    const bool is_moved = name.equals_string(from);
    const Json kept = is_moved ? Json::string(to) : name;
    if (kept.equals_string(to) && std::exchange(has_target, true)) continue;
    names.push_back(kept);
  }
  return schema.with("required", Json::array(names));
}

/// The schema of one argument with the other agent's words. Its description is removed if the unit differs, because it
/// would name the wrong one.
Json translate_property(const Json& property, const ToolArgument& argument) {
  Json out = argument.unit == 1 ? property : property.without("description");
  if (!property["enum"] || argument.words.empty()) return out;
  std::vector<Json> words;
  for (const Json& word : property["enum"].elements()) {
    const auto row =
        std::ranges::find_if(argument.words, [&](const ToolWord& one) { return word.equals_string(one.canonical); });
    words.push_back(row == argument.words.end() ? word : Json::string(row->wire));
  }
  return out.with("enum", Json::array(words));
}

/// Moves an argument into an object: for the wire name `/edit/old`, it becomes the property `old` of the object `edit`.
/// If the argument is required, so are the object and the property inside it.
Json nest_property(const Json& schema, const ToolArgument& argument, const Json& property) {
  const size_t slash = argument.wire.rfind('/');
  const std::string_view around = argument.wire.substr(1, slash - 1);
  const std::string_view name = argument.wire.substr(slash + 1);
  Json object = schema["properties"][around];
  if (!object) object = Json::object({{"type", Json::string("object")}});
  object = object.with_pointer(std::string(kProperties) + std::string(name), property);
  if (requires_member(schema, argument.canonical)) {
    const Json required = object["required"] ? object["required"] : Json::array();
    object = object.with("required", required).with_pointer("/required/-", Json::string(name));
  }
  const Json moved = with_required(schema, argument.canonical, around);
  return moved.with("properties", schema["properties"].without(argument.canonical).with(around, object));
}

/// The schema of an object with one property renamed or moved. It stays as it is if the object has no such property.
Json translate_member(const Json& schema, const ToolArgument& argument) {
  const Json properties = schema["properties"];
  const Json own = properties[argument.canonical];
  if (!own) return schema;
  const Json property = translate_property(own, argument);
  if (argument.wire.starts_with('/')) return nest_property(schema, argument, property);
  const Json renamed = with_required(schema, argument.canonical, argument.wire);
  return renamed.with("properties", properties.without(argument.canonical).with(argument.wire, property));
}

/// The schema with one argument translated. An argument `in_each` is a property of the elements of a list.
Json translate_argument(const Json& schema, const ToolArgument& argument) {
  if (argument.only_read) return schema;
  if (argument.in_each.empty()) return translate_member(schema, argument);
  const std::string items = std::string(kProperties) + std::string(argument.in_each) + "/items";
  const Json inner = schema.at_pointer(items);
  return inner ? schema.with_pointer(items, translate_member(inner, argument)) : schema;
}

}  // namespace

Json schema_in_dialect(std::string_view tool, const Json& schema, std::string_view dialect_name) {
  const Dialect* dialect = find_dialect(dialect_name);
  const auto kind = to_string(tool_kind(tool, kCanonicalDialect.name));
  if (dialect == nullptr) return schema;
  const auto row = std::ranges::find(dialect->tools.rows, kind, &ToolRow::kind);
  if (row == dialect->tools.rows.end()) return schema;
  Json out = schema;
  // In reverse for the same reason as in `translate_tool_input`: elements first, then the list that contains them.
  for (const ToolArgument& argument : std::views::reverse(row->arguments)) out = translate_argument(out, argument);
  return out;
}

}  // namespace grapnel
