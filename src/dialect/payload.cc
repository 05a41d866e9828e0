#include "dialect/payload.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "dialect/canonical_tables.h"
#include "dialect/event_fields.h"
#include "dialect/payload_members.h"
#include "dialect/tools.h"
#include "json/document.h"

namespace grapnel {

namespace {

const FieldRow* find_field(const Dialect& dialect, const EventRow* event, Field field) {
  const auto in = [&](std::span<const FieldRow> rows) -> const FieldRow* {
    const auto found = std::ranges::find(rows, field, &FieldRow::field);
    return found == rows.end() ? nullptr : &*found;
  };
  const FieldRow* own = event == nullptr ? nullptr : in(event->inputs);
  return own != nullptr ? own : in(dialect.common_inputs);
}

Json write_at(const Json& payload, std::string_view key, const Json& value) {
  return key.starts_with('/') ? payload.with_pointer(key, value) : payload.with(key, value);
}

/// The node of the value at a key of a table, in an object; 0 when there is none.
uint32_t find_key(const Json& object, std::string_view key) {
  if (key.starts_with('/')) return JsonDocument::node_of(object.at_pointer(key));
  return JsonDocument::of(object)->find_member(JsonDocument::node_of(object), key);
}

Json value_to_canonical(const Dialect& dialect, Field field, const Json& value) {
  for (const ValueRow& row : dialect.values) {
    if (row.field == field && row.canonical != "*" && value.equals_string(row.wire)) return Json::string(row.canonical);
  }
  return value;
}

Json value_from_canonical(const Dialect& dialect, Field field, const Json& value) {
  for (const ValueRow& row : dialect.values) {
    if (row.field != field || !value.is_string()) continue;
    if (row.canonical == "*" || value.equals_string(row.canonical)) return Json::string(row.wire);
  }
  return value;
}

/// A field that has several keys is read from the first that is there.
uint32_t find_in(std::span<const FieldRow> rows, Field field, const Json& payload) {
  // The canonical rows are in the order of fields.
  if (rows.data() == canonical::kInputs.data()) {
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

/// Where the field stands in an event's payload; 0 when it does not.
uint32_t find_node(const Event& event, Field field) {
  if (!event.payload().is_object()) return 0;
  const std::span<const FieldRow> inputs = row_of(event).inputs;
  const uint32_t own = inputs.empty() ? 0 : find_in(inputs, field, event.payload());
  return own != 0 ? own : find_in(event.dialect().common_inputs, field, event.payload());
}

Json read_field(const Event& event, Field field) {
  const uint32_t node = find_node(event, field);
  return node == 0 ? Json() : JsonDocument::at_node(event.payload(), node);
}

bool is_derived(Field field) {
  return field == Field::EventName || field == Field::ToolPath || field == Field::ToolCommand;
}

/// Looks a field up when it is asked for.
struct OneLook {
  const Event& event;
  Json operator()(Field field) const { return read_field(event, field); }
};

/// What the payload says, in the event's own dialect. `look` finds what stands in it.
template <typename Look>
Json native_field(const Event& event, Field field, const Look& look) {
  const Dialect& dialect = event.dialect();
  if (field == Field::EventName) return Json::string(row_of(event).wire_name);
  if (field == Field::ToolPath) return tool_path(dialect, look(Field::ToolInput));
  if (field == Field::ToolCommand) {
    return tool_command(dialect, look(Field::ToolName).as_string().value_or(""), look(Field::ToolInput));
  }
  return look(field);
}

template <typename Look>
std::optional<std::string> translated_tool_name(const Event& event, const Dialect& to, const Look& look) {
  const auto name = look(Field::ToolName).as_string();
  if (!name) return std::nullopt;
  return translate_tool_name(event.dialect(), *name, to, look(Field::McpContext));
}

template <typename Look>
Json translated_field(const Event& event, const Dialect& to, Field field, const Look& look) {
  const Dialect& from = event.dialect();
  switch (field) {
    case Field::EventName: {
      const EventRow* row = to.find_event(event.kind());
      return row == nullptr ? Json() : Json::string(row->wire_name);
    }
    case Field::ToolName: {
      const auto name = translated_tool_name(event, to, look);
      return name ? Json::string(*name) : Json();
    }
    case Field::McpContext: {
      const Json said = look(field);
      return said ? said : mcp_context_of(from, look(Field::ToolName).as_string().value_or(""));
    }
    case Field::ToolInput: {
      const std::string tool = look(Field::ToolName).as_string().value_or("");
      return translate_tool_input(from, tool, look(field), to);
    }
    case Field::ToolPath:
      return tool_path(to, translated_field(event, to, Field::ToolInput, look));
    case Field::ToolCommand: {
      const std::string tool = translated_field(event, to, Field::ToolName, look).as_string().value_or("");
      return tool_command(to, tool, translated_field(event, to, Field::ToolInput, look));
    }
    default:
      return value_from_canonical(to, field, value_to_canonical(from, field, look(field)));
  }
}

template <typename Look>
Json field_by(const Event& event, const Dialect& to, Field field, const Look& look) {
  return &event.dialect() == &to ? native_field(event, field, look) : translated_field(event, to, field, look);
}

/// Where a dialect has one notion of a directory, the other may stand in for it.
Field stand_in(Field field) {
  if (field == Field::Cwd) return Field::ProjectDir;
  return field == Field::ProjectDir ? Field::Cwd : Field::None;
}

template <typename Rows>
void add_fields(FieldSet& set, const Rows& rows) {
  for (const auto& row : rows) set.set(static_cast<size_t>(row.field));
}

constexpr unsigned long long bit(Field field) {
  return 1ULL << static_cast<unsigned>(field);
}

/// Fields that are said even if they stand nowhere: they are made from others.
constexpr FieldSet kMade(bit(Field::EventName) | bit(Field::McpContext) | bit(Field::ToolPath) |
                         bit(Field::ToolCommand));
constexpr FieldSet kTranslated(bit(Field::ToolName) | bit(Field::ToolInput));

/// Fields whose values are not told as they stand: those, names of tools and arguments, and what dialects spell apart.
FieldSet translated_fields(const Dialect& from, const Dialect& to) {
  FieldSet set = kMade | kTranslated;
  if (&from == &to) return set;
  add_fields(set, from.values);
  add_fields(set, to.values);
  return set;
}

/// Fields that something could be said of. A dialect may have a place for every field there is.
FieldSet known_fields(const EventFields& fields, const Supplements& supplements) {
  FieldSet set = fields.present() | kMade;
  for (const Field field : {Field::Cwd, Field::ProjectDir}) {
    if (fields.has(stand_in(field))) set.set(static_cast<size_t>(field));
  }
  if (!supplements) return set;
  for (const Field field : kSupplemented) set.set(static_cast<size_t>(field));
  return set;
}

/// An event's payload in the words of another dialect, member by member.
class Translation {
 public:
  Translation(const Event& event, const Dialect& to, const Supplements& supplements)
      : event_(event),
        to_(to),
        supplements_(supplements),
        fields_(event),
        translated_(translated_fields(event.dialect(), to)),
        known_(known_fields(fields_, supplements)),
        payload_(event.payload()) {}

  /// With an `event_name` the payload spells its event so.
  void add(std::span<const FieldRow> rows, std::string_view event_name) {
    for (const FieldRow& row : rows) {
      const auto field = static_cast<size_t>(row.field);
      if (!known_.test(field)) continue;
      if (row.field == Field::EventName && !event_name.empty()) {
        payload_.set(row.key, Json::string(event_name));
      } else if (fields_.has(row.field) && !translated_.test(field) && !row.key.starts_with('/')) {
        payload_.set_part(row.key, fields_.node(row.field));
      } else if (const Json value = is_said(row.field) ? with_stand_in(row.field) : Json()) {
        payload_.set(row.key, value);
      } else if (const Json known = supplement(row.field)) {
        payload_.set(row.key, known);
      }
    }
  }

  void add_constants(std::span<const ConstantRow> rows) { payload_.add_constants(rows); }

  /// Members that the other dialect has no place for. Known canonical ones do not count: they are more than any has.
  void add_extras() {
    const JsonDocument* document = JsonDocument::of(event_.payload());
    if (!event_.payload().is_object()) return;
    FieldSet told;
    add_fields(told, to_.common_inputs);
    if (const EventRow* row = to_.find_event(event_.kind())) add_fields(told, row->inputs);
    const uint32_t root = JsonDocument::node_of(event_.payload());
    for (uint32_t at = root + 1; at < document->node(root).next; at = document->node(at + 1).next) {
      const bool has_place = is_placed(event_.dialect().common_inputs, *document, at, told) ||
                             is_placed(row_of(event_).inputs, *document, at, told);
      if (!has_place) payload_.add_extra(at);
    }
  }

  std::string text() const {
    return payload_.text(to_.stdin_style, event_.dialect().name, to_.stdin_newline ? "\n" : "");
  }

 private:
  bool is_said(Field field) const {
    return kMade.test(static_cast<size_t>(field)) || fields_.has(field) || fields_.has(stand_in(field));
  }

  Json with_stand_in(Field field) const {
    if (Json value = field_by(event_, to_, field, fields_)) return value;
    return stand_in(field) == Field::None ? Json() : field_by(event_, to_, stand_in(field), fields_);
  }

  Json supplement(Field field) const {
    if (!supplements_ || std::ranges::find(kSupplemented, field) == kSupplemented.end()) return {};
    const Json value = supplements_(field);
    return value ? value_from_canonical(to_, field, value) : Json();
  }

  /// Whether the member is a field of these rows that the other dialect tells, be it in another's place.
  bool is_placed(std::span<const FieldRow> rows, const JsonDocument& document, uint32_t key,
                 const FieldSet& told) const {
    const auto row =
        std::ranges::find_if(rows, [&](const FieldRow& one) { return document.string_equals(key, one.key); });
    if (row == rows.end()) return false;
    const Field other = stand_in(row->field);
    return &event_.dialect() == &kCanonicalDialect || told.test(static_cast<size_t>(row->field)) ||
           (other != Field::None && told.test(static_cast<size_t>(other)) && !fields_.has(other));
  }

  const Event& event_;
  const Dialect& to_;
  const Supplements& supplements_;
  const EventFields fields_;
  const FieldSet translated_;
  const FieldSet known_;
  PayloadMembers payload_;
};

}  // namespace

const EventRow& row_of(const Event& event) {
  const Dialect& dialect = event.dialect();
  const EventRow* first = dialect.find_event(event.kind());
  GRAPNEL_CHECK(first != nullptr);
  if (!dialect.events.has_several(event.kind())) return *first;
  const FieldRow* name = find_field(dialect, nullptr, Field::EventName);
  if (name == nullptr || event.payload()[name->key].equals_string(first->wire_name)) return *first;
  const auto is_named = [&](const EventRow& row) {
    return row.kind == event.kind() && event.payload()[name->key].equals_string(row.wire_name);
  };
  const auto found = std::ranges::find_if(dialect.events, is_named);
  return found == dialect.events.end() ? *first : *found;
}

EventFields::EventFields(const Event& event) : payload_(event.payload()) {
  const Json& payload = event.payload();
  if (!payload.is_object()) return;
  const auto look_for = [&](std::span<const FieldRow> rows) {
    for (const FieldRow& row : rows) {
      uint32_t& node = nodes_[static_cast<size_t>(row.field)];
      if (node != 0) continue;
      node = find_key(payload, row.key);
      present_.set(static_cast<size_t>(row.field), node != 0);
    }
  };
  look_for(row_of(event).inputs);
  look_for(event.dialect().common_inputs);
}

Json with_constants(Json payload, std::span<const ConstantRow> rows) {
  for (const ConstantRow& row : rows) {
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
      if (!value.is_object() && !value.is_array()) continue;  // a text that is no more than that
    } else if (!there) {
      value = row.from.empty() ? Json::parse(std::string(row.json)).value_or(Json()) : payload.at_pointer(row.from);
    }
    if (value) payload = payload.with_pointer(row.to, value);
  }
  return payload;
}

Json field_as(const Event& event, const Dialect& to, Field field) {
  return field_by(event, to, field, OneLook{event});
}

std::optional<std::string> text_as(const Event& event, const Dialect& to, Field field) {
  const bool is_translated = field == Field::ToolName && &event.dialect() != &to;
  return is_translated ? translated_tool_name(event, to, OneLook{event}) : field_as(event, to, field).as_string();
}

std::string payload_for(const Event& event, const Dialect& to, const Supplements& supplements,
                        std::string_view event_name) {
  if (&event.dialect() == &to && &to != &kCanonicalDialect) {
    const bool is_right = to.stdin_style == JsonStyle::Compact;
    std::string text = is_right ? std::string(event.payload().raw()) : event.payload().dump(to.stdin_style);
    if (to.stdin_newline) text += '\n';
    return text;
  }
  Translation translation(event, to, supplements);
  translation.add(to.common_inputs, event_name);
  translation.add_constants(to.constants);
  const EventRow* named = event_name.empty() ? nullptr : to.find_event(event_name);
  if (const EventRow* row = named != nullptr && named->kind == event.kind() ? named : to.find_event(event.kind())) {
    translation.add(row->inputs, event_name);
    translation.add_constants(row->constants);
  }
  translation.add_extras();
  return translation.text();
}

std::shared_ptr<const std::string> shared_payload_for(const Event& event, const Dialect& to,
                                                      const Supplements& supplements, std::string_view event_name) {
  const bool is_hosts = &event.dialect() == &to && &to != &kCanonicalDialect;
  if (is_hosts && to.stdin_style == JsonStyle::Compact && !to.stdin_newline) {
    return JsonDocument::shared_raw(event.payload());
  }
  return std::make_shared<const std::string>(payload_for(event, to, supplements, event_name));
}

std::vector<std::string> other_tool_names(const Event& event, const Dialect& to) {
  std::vector<std::string> names;
  const Dialect& own = event.dialect();
  if (&own == &to || own.tool_aliases.empty()) return names;
  const Json tool = field_as(event, own, Field::ToolName);
  for (const ToolAlias& row : own.tool_aliases) {
    if (tool.equals_string(row.tool)) names.push_back(translate_tool_name(kCanonicalDialect, row.alias, to));
  }
  return names;
}

Event with_field(const Event& event, Field field, const Json& value) {
  const FieldRow* row = find_field(event.dialect(), &row_of(event), field);
  return row == nullptr ? event : event.with_payload(write_at(event.payload(), row->key, value));
}

// Event's reading half is here because it needs the tables.

Event::Event(EventKind kind, Json payload) : Event(kind, &kCanonicalDialect, std::move(payload)) {}
Event::Event(EventKind kind, const Dialect* dialect, Json payload)
    : kind_(kind), dialect_(dialect), payload_(std::move(payload)) {}

Result<Event> Event::in_dialect(std::string_view dialect) const {
  const Dialect* to = find_dialect(dialect);
  if (to == nullptr || to->find_event(kind_) == nullptr) {
    return fail(Errc::NotFound, std::string(to_string(kind_)) + " is no moment of '" + std::string(dialect) + "'");
  }
  auto payload = Json::parse(payload_for(*this, *to, {}));
  if (!payload) return std::unexpected(payload.error());
  return Event(kind_, to, std::move(*payload));
}

Event Event::with_payload(Json payload) const {
  return {kind_, dialect_, std::move(payload)};
}

std::string_view Event::dialect_name() const {
  return dialect_->name;
}

Json Event::get(Field field) const {
  return field_as(*this, kCanonicalDialect, field);
}

std::string Event::text(Field field) const {
  if (is_derived(field)) return native_field(*this, field, OneLook{*this}).as_string().value_or("");
  const uint32_t node = find_node(*this, field);
  const JsonDocument* document = JsonDocument::of(payload_);
  return node != 0 && document->node(node).kind == JsonKind::String ? document->string(node) : "";
}

}  // namespace grapnel
