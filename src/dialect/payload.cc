#include "dialect/payload.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "dialect/canonical_inputs.h"
#include "dialect/event_fields.h"
#include "dialect/tools.h"
#include "dialect/value_words.h"
#include "json/document.h"

/// Reads the fields of an event, in the words of any dialect.
///
/// A field is first located in the payload, by the input rows of the event's own dialect: the result is a node of the
/// JSON document, 0 if the field is missing. Then the value is used as it is (the reader has the same dialect) or
/// translated (names of tools, arguments, words). Locating has two forms with the same call operator, which the
/// templates take as `look`: `OneLook` searches for the one field that is asked for, `EventFields` has found all of
/// them in one pass.
namespace grapnel {

namespace {

/// The first row for a field: the event's own rows before those that all events share; null if there is none.
const FieldRow* find_field(const Dialect& dialect, const EventRow* event, Field field) {
  const auto in = [&](std::span<const FieldRow> rows) -> const FieldRow* {
    const auto found = std::ranges::find(rows, field, &FieldRow::field);
    return found == rows.end() ? nullptr : &*found;
  };
  const FieldRow* own = event == nullptr ? nullptr : in(event->payload.inputs);
  return own != nullptr ? own : in(dialect.payload.common_inputs);
}

/// The row with that key, or the number of rows if there is none. The search begins at `from` and wraps around, because
/// agents write members in the order of the tables, so the next row is usually the right one.
size_t find_row(std::span<const FieldRow> rows, size_t from, std::string_view key) {
  const auto is_named = [&](const FieldRow& row) {
    return row.key.size() == key.size() && row.key[0] == key[0] && row.key == key;
  };
  for (size_t row = from; row < rows.size(); ++row) {
    if (is_named(rows[row])) return row;
  }
  for (size_t row = 0; row < from; ++row) {
    if (is_named(rows[row])) return row;
  }
  return rows.size();
}

Json write_at(const Json& payload, std::string_view key, const Json& value) {
  return key.starts_with('/') ? payload.with_pointer(key, value) : payload.with(key, value);
}

/// The node of the value that a key of a table leads to; 0 if there is none. Keys with a slash are JSON pointers.
uint32_t find_key(const Json& object, std::string_view key) {
  if (key.starts_with('/')) return JsonDocument::node_of(object.at_pointer(key));
  return JsonDocument::of(object)->find_member(JsonDocument::node_of(object), key);
}

/// The node of a field according to these rows. If several rows have the field, the first one with a value counts.
uint32_t find_in(std::span<const FieldRow> rows, Field field, const Json& payload) {
  // The canonical table has one row for each field, in the order of `Field`, so no search is needed.
  if (rows.data() == kCanonicalInputs.data()) {
    const auto place = static_cast<size_t>(field);
    rows = place < rows.size() ? rows.subspan(place, 1) : rows.first(0);
  }
  for (const FieldRow& row : rows) {
    if (row.field != field) continue;
    const uint32_t node = find_key(payload, row.key);
    if (node != 0) return node;
  }
  return 0;
}

/// The node of a field in the payload of an event; 0 if it is missing. The event's own rows come before the common
/// ones.
uint32_t find_node(const Event& event, Field field) {
  if (!event.payload().is_object()) return 0;
  const std::span<const FieldRow> inputs = row_of(event).payload.inputs;
  const uint32_t own = inputs.empty() ? 0 : find_in(inputs, field, event.payload());
  return own != 0 ? own : find_in(event.dialect().payload.common_inputs, field, event.payload());
}

/// Locates a field when it is asked for.
struct OneLook {
  const Event& event;
  uint32_t operator()(Field field) const { return find_node(event, field); }
};

Json json_at(const Event& event, uint32_t node) {
  return node == 0 ? Json() : JsonDocument::at_node(event.payload(), node);
}

bool is_string(const Event& event, uint32_t node) {
  return node != 0 && JsonDocument::of(event.payload())->node(node).kind == JsonKind::String;
}

/// The text at a node, or "" if it is not a string. Most strings have no escapes, and the result is a view into the
/// document; otherwise the decoded text is stored in `kept`.
std::string_view text_at(const Event& event, uint32_t node, std::string& kept) {
  if (!is_string(event, node)) return {};
  const JsonDocument& document = *JsonDocument::of(event.payload());
  return document.node(node).plain ? document.string_body(node) : kept = document.string(node);
}

FieldValue value_of(Json json) {
  return json ? FieldValue(std::move(json)) : FieldValue();
}
FieldValue value_of(uint32_t node) {
  return node != 0 ? FieldValue(node) : FieldValue();
}

/// The value of a field for a reader of the event's own dialect. Path and command are derived from the tool input,
/// because hardly any agent writes them into its payload.
template <typename Look>
FieldValue native_value(const Event& event, Field field, const Look& look) {
  const Dialect& dialect = event.dialect();
  if (field == Field::EventName) {
    const EventRow& row = row_of(event);
    return row.kind == EventKind::Other ? FieldValue(event.name()) : FieldValue(row.wire_name);
  }
  if (field == Field::ToolPath) {
    // Events that are no tool calls may be about a file, and have a member for it.
    if (const uint32_t said = look(field); said != 0) return said;
    return value_of(tool_path(dialect, json_at(event, look(Field::ToolInput))));
  }
  if (field == Field::ToolCommand) {
    std::string kept;
    const std::string_view tool = text_at(event, look(Field::ToolName), kept);
    return value_of(tool_command(dialect, tool, json_at(event, look(Field::ToolInput))));
  }
  return value_of(look(field));
}

/// The whole tool input with the argument names of the other dialect.
template <typename Look>
Json translated_input(const Event& event, const Dialect& to, const Look& look) {
  std::string kept;
  const std::string_view tool = text_at(event, look(Field::ToolName), kept);
  return translate_tool_input(event.dialect(), tool, json_at(event, look(Field::ToolInput)), to);
}

/// The name of the tool in the other dialect; nothing if the event has no tool.
template <typename Look>
FieldValue translated_tool(const Event& event, const Dialect& to, const Look& look) {
  const uint32_t node = look(Field::ToolName);
  if (!is_string(event, node)) return {};
  std::string kept;
  const Json context = json_at(event, look(Field::McpContext));
  return translate_tool_name(event.dialect(), text_at(event, node, kept), to, context);
}

/// A value that dialects may spell differently; if no table mentions it, the node is used unchanged.
FieldValue translated_word_at(const Event& event, const Dialect& to, Field field, uint32_t node) {
  const auto is = [&](std::string_view word) { return JsonDocument::of(event.payload())->string_equals(node, word); };
  const auto word = is_string(event, node) ? translated_word(event.dialect(), to, field, is) : std::nullopt;
  return word ? *word : value_of(node);
}

/// The value of a field for a reader of another dialect.
template <typename Look>
FieldValue translated_value(const Event& event, const Dialect& to, Field field, const Look& look) {
  switch (field) {
    case Field::EventName: {
      // It has no kind that could be translated, so it keeps the name that its agent gave it.
      if (event.kind() == EventKind::Other) return event.name();
      const EventRow* row = to.find_event(event.kind());
      return row == nullptr ? FieldValue() : row->wire_name;
    }
    case Field::ToolName:
      return translated_tool(event, to, look);
    case Field::McpContext: {
      // If the payload has no context, the name of the tool may tell server and tool.
      if (const uint32_t said = look(field); said != 0) return said;
      std::string kept;
      return value_of(mcp_context_of(event.dialect(), text_at(event, look(Field::ToolName), kept)));
    }
    case Field::ToolInput: {
      std::string kept;
      const std::string_view tool = text_at(event, look(Field::ToolName), kept);
      // Translating builds a new document, so it is only done if some argument really has another name.
      const bool stands = !has_other_arguments(event.dialect(), tool, to);
      return stands ? value_of(look(field)) : value_of(translated_input(event, to, look));
    }
    case Field::ToolPath:
      if (const uint32_t said = look(field); said != 0) return said;
      return value_of(tool_path(to, translated_input(event, to, look)));
    case Field::ToolCommand: {
      const FieldValue name = translated_tool(event, to, look);
      const auto* tool = std::get_if<std::string>(&name);
      return value_of(tool_command(to, tool == nullptr ? "" : *tool, translated_input(event, to, look)));
    }
    default:
      return translated_word_at(event, to, field, look(field));
  }
}

template <typename Look>
FieldValue value_by(const Event& event, const Dialect& to, Field field, const Look& look) {
  return &event.dialect() == &to ? native_value(event, field, look) : translated_value(event, to, field, look);
}

Json to_json(const Event& event, FieldValue value) {
  if (const auto* node = std::get_if<uint32_t>(&value)) return json_at(event, *node);
  if (const auto* word = std::get_if<std::string_view>(&value)) return Json::string(*word);
  if (const auto* text = std::get_if<std::string>(&value)) return Json::string(*text);
  auto* json = std::get_if<Json>(&value);
  return json == nullptr ? Json() : std::move(*json);
}

/// The value as text, without building JSON for it; nothing if it is not a string.
std::optional<std::string> to_text(const Event& event, FieldValue value) {
  if (auto* text = std::get_if<std::string>(&value)) return std::move(*text);
  if (const auto* word = std::get_if<std::string_view>(&value)) return std::string(*word);
  const auto* node = std::get_if<uint32_t>(&value);
  if (node == nullptr) return to_json(event, std::move(value)).as_string();
  return is_string(event, *node) ? std::optional(JsonDocument::of(event.payload())->string(*node)) : std::nullopt;
}

}  // namespace

std::string_view event_name_key(const Dialect& dialect) {
  const FieldRow* row = find_field(dialect, nullptr, Field::EventName);
  return row == nullptr ? "hook_event_name" : row->key;
}

const EventRow& row_of(const Event& event) {
  const Dialect& dialect = event.dialect();
  const EventRow* first = &dialect.event_or_other(event.kind());
  // Cursor tells one kind of event under several names; the payload says which one it is.
  if (!dialect.events.has_several(event.kind())) return *first;
  const FieldRow* name = find_field(dialect, nullptr, Field::EventName);
  if (name == nullptr || event.payload()[name->key].equals_string(first->wire_name)) return *first;
  const auto is_named = [&](const EventRow& row) {
    return row.kind == event.kind() && event.payload()[name->key].equals_string(row.wire_name);
  };
  const auto found = std::ranges::find_if(dialect.events, is_named);
  return found == dialect.events.end() ? *first : *found;
}

/// Walks over the members of the payload once and looks each key up in both tables, instead of searching the payload
/// once for each row. JSON pointers are resolved afterwards. If several rows have the same field, the row with the
/// lower rank wins; if the payload has a member twice, the later one wins.
EventFields::EventFields(const Event& event) : payload_(event.payload()) {
  if (!payload_.is_object()) return;
  const std::span<const FieldRow> own = row_of(event).payload.inputs, common = event.dialect().payload.common_inputs;
  Table tables[] = {{own, 0, 0}, {common, own.size(), 0}};
  const JsonDocument& document = *JsonDocument::of(payload_);
  const uint32_t root = JsonDocument::node_of(payload_);
  const uint32_t end = document.node(root).next;
  std::string kept;
  for (uint32_t at = root + 1; at < end; at = document.node(at + 1).next) {
    const std::string_view key = document.node(at).plain ? document.string_body(at) : kept = document.string(at);
    // Such a key would be confused with a JSON pointer of the table.
    if (key.empty() || key.starts_with('/')) continue;
    for (Table& table : tables) {
      const size_t row = find_row(table.rows, table.next, key);
      if (row == table.rows.size()) continue;
      note(table.rows[row].field, table.rank + row, at + 1);
      table.next = row + 1;
    }
  }
  for (const Table& table : tables) {
    for (size_t row = 0; row < table.rows.size(); ++row) {
      if (!table.rows[row].key.starts_with('/')) continue;
      note(table.rows[row].field, table.rank + row, find_key(payload_, table.rows[row].key));
    }
  }
}

void EventFields::note(Field field, size_t rank, uint32_t node) {
  const auto at = static_cast<size_t>(field);
  if (node == 0 || (present_.test(at) && ranks_[at] < rank)) return;
  present_.set(at);
  nodes_[at] = node;
  ranks_[at] = static_cast<uint16_t>(rank);
}

Json with_constants(Json payload, std::span<const ConstantRow> rows) {
  for (const ConstantRow& row : rows) {
    // A constant inside an object is only written if the object exists.
    const std::string_view around = row.pointer.substr(0, row.pointer.rfind('/'));
    if (payload.at_pointer(row.pointer) || !payload.at_pointer(around).is_object()) continue;
    payload = payload.with_pointer(row.pointer, Json::parse(std::string(row.json)).value_or(Json::null()));
  }
  return payload;
}

Json completed(Json payload, std::span<const CompletionRow> rows) {
  for (const CompletionRow& row : rows) {
    const Json there = payload.at_pointer(row.to);
    Json value;
    if (row.parses) {
      const auto text = there.as_string();
      value = text ? Json::parse(*text).value_or(Json()) : Json();
      if (!value.is_object() && !value.is_array()) continue;  // an ordinary text, not JSON
    } else if (!there) {
      value = row.from.empty() ? Json::parse(std::string(row.json)).value_or(Json()) : payload.at_pointer(row.from);
    }
    if (value) payload = payload.with_pointer(row.to, value);
  }
  return payload;
}

Json field_as(const Event& event, const Dialect& to, Field field) {
  return to_json(event, value_by(event, to, field, OneLook{event}));
}

FieldValue field_value(const Event& event, const Dialect& to, Field field, const EventFields& fields) {
  return value_by(event, to, field, fields);
}

std::optional<std::string> text_as(const Event& event, const Dialect& to, Field field) {
  return to_text(event, value_by(event, to, field, OneLook{event}));
}

/// The aliases are the tools that other agents have instead, so the event matches hooks for any of them.
std::vector<std::string> other_tool_names(const Event& event, const Dialect& to) {
  std::vector<std::string> names;
  const Dialect& own = event.dialect();
  const bool is_for_rules = &to == &kGrapnelDialect;
  if (!is_for_rules && (&own == &to || own.tools.aliases.empty())) return names;
  std::string kept;
  const std::string_view tool = text_at(event, find_node(event, Field::ToolName), kept);
  // Rules are about what a tool does: one that is in no table is found as what it may be.
  if (is_for_rules && is_guessed(own, tool)) {
    for (const ToolKind kind : guessed_kinds(own, tool, field_as(event, own, Field::ToolInput))) {
      names.emplace_back(tool_name(kind, to.name));
    }
  }
  if (&own == &to) return names;
  for (const ToolAlias& row : own.tools.aliases) {
    if (tool == row.tool) names.push_back(translate_tool_name(kCanonicalDialect, row.alias, to));
  }
  return names;
}

Event with_field(const Event& event, Field field, const Json& value) {
  const FieldRow* row = find_field(event.dialect(), &row_of(event), field);
  return row == nullptr ? event : event.with_payload(write_at(event.payload(), row->key, value));
}

// These members of the public class `Event` are defined here because they need the tables.

Event::Event(EventKind kind, Json payload) : Event(kind, &kCanonicalDialect, std::move(payload)) {}
Event::Event(EventKind kind, const Dialect* dialect, Json payload)
    : kind_(kind), dialect_(dialect), payload_(std::move(payload)) {}

Result<Event> Event::in_dialect(std::string_view dialect) const {
  const Dialect* to = find_dialect(dialect);
  if (to == nullptr || to->find_event(kind_) == nullptr) {
    return fail(Errc::NotFound,
                std::string(to_string(kind_)) + " is not an event of dialect '" + std::string(dialect) + "'");
  }
  auto payload = Json::parse(payload_for(*this, *to, {}));
  if (!payload) return std::unexpected(payload.error());
  return Event(kind_, to, std::move(*payload));
}

Event Event::with_payload(Json payload) const {
  return {kind_, dialect_, std::move(payload)};
}

std::string Event::name() const {
  if (kind_ != EventKind::Other) return std::string(to_string(kind_));
  return payload_[event_name_key(*dialect_)].as_string().value_or("");
}

std::string_view Event::dialect_name() const {
  return dialect_->name;
}

Json Event::get(Field field) const {
  return field_as(*this, kCanonicalDialect, field);
}

std::string Event::text(Field field) const {
  const bool is_derived = field == Field::EventName || field == Field::ToolPath || field == Field::ToolCommand;
  if (is_derived) return to_text(*this, native_value(*this, field, OneLook{*this})).value_or("");
  const uint32_t node = find_node(*this, field);
  return is_string(*this, node) ? JsonDocument::of(payload_)->string(node) : "";
}

}  // namespace grapnel
