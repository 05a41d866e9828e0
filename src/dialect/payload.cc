#include "dialect/payload.h"

#include <algorithm>
#include <bitset>
#include <optional>

#include "base/error.h"
#include "dialect/tools.h"
#include "json/document.h"
#include "json/string.h"

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

Json read_at(const Json& payload, std::string_view key) {
  return key.starts_with('/') ? payload.at_pointer(key) : payload[key];
}

Json write_at(const Json& payload, std::string_view key, const Json& value) {
  return key.starts_with('/') ? payload.with_pointer(key, value) : payload.with(key, value);
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
Json read_field(const Event& event, Field field) {
  const auto in = [&](std::span<const FieldRow> rows) {
    for (const FieldRow& row : rows) {
      if (row.field != field) continue;
      if (Json value = read_at(event.payload(), row.key)) return value;
    }
    return Json();
  };
  Json value = in(row_of(event).inputs);
  return value ? value : in(event.dialect().common_inputs);
}

/// What the payload says, in the event's own dialect.
Json native_field(const Event& event, Field field) {
  const Dialect& dialect = event.dialect();
  if (field == Field::EventName) return Json::string(row_of(event).wire_name);
  if (field == Field::ToolPath) return tool_path(dialect, native_field(event, Field::ToolInput));
  if (field == Field::ToolCommand) {
    return tool_command(dialect, event.text(Field::ToolName), native_field(event, Field::ToolInput));
  }
  return read_field(event, field);
}

std::optional<std::string> translated_tool_name(const Event& event, const Dialect& to) {
  const auto name = native_field(event, Field::ToolName).as_string();
  if (!name) return std::nullopt;
  return translate_tool_name(event.dialect(), *name, to, native_field(event, Field::McpContext));
}

Json translated_field(const Event& event, const Dialect& to, Field field) {
  const Dialect& from = event.dialect();
  switch (field) {
    case Field::EventName: {
      const EventRow* row = to.find_event(event.kind());
      return row == nullptr ? Json() : Json::string(row->wire_name);
    }
    case Field::ToolName: {
      const auto name = translated_tool_name(event, to);
      return name ? Json::string(*name) : Json();
    }
    case Field::McpContext: {
      const Json said = native_field(event, field);
      return said ? said : mcp_context_of(from, native_field(event, Field::ToolName).as_string().value_or(""));
    }
    case Field::ToolInput: {
      const std::string tool = native_field(event, Field::ToolName).as_string().value_or("");
      return translate_tool_input(from, tool, native_field(event, field), to);
    }
    case Field::ToolPath:
      return tool_path(to, translated_field(event, to, Field::ToolInput));
    case Field::ToolCommand: {
      const std::string tool = translated_field(event, to, Field::ToolName).as_string().value_or("");
      return tool_command(to, tool, translated_field(event, to, Field::ToolInput));
    }
    default:
      return value_from_canonical(to, field, value_to_canonical(from, field, native_field(event, field)));
  }
}

/// Where a dialect has one notion of a directory, the other may stand in for it.
Field stand_in(Field field) {
  if (field == Field::Cwd) return Field::ProjectDir;
  return field == Field::ProjectDir ? Field::Cwd : Field::None;
}

Json with_stand_in(const Event& event, const Dialect& to, Field field) {
  if (Json value = field_as(event, to, field)) return value;
  return stand_in(field) == Field::None ? Json() : field_as(event, to, stand_in(field));
}

Json supplement(const Supplements& supplements, const Dialect& to, Field field) {
  const Json value = supplements ? supplements(field) : Json();
  return value ? value_from_canonical(to, field, value) : Json();
}

/// Fields that the event's own words have a place for, and those that are made from others. The canonical words have
/// one for every field there is: most need not be looked for.
class SayableFields {
 public:
  explicit SayableFields(const Event& event) {
    for (const Field field : {Field::EventName, Field::McpContext, Field::ToolPath, Field::ToolCommand}) add(field);
    for (const FieldRow& row : event.dialect().common_inputs) add(row.field);
    for (const FieldRow& row : row_of(event).inputs) add(row.field);
  }
  bool has(Field field) const {
    const Field other = stand_in(field);
    return fields_.test(static_cast<size_t>(field)) ||
           (other != Field::None && fields_.test(static_cast<size_t>(other)));
  }

 private:
  void add(Field field) { fields_.set(static_cast<size_t>(field)); }

  std::bitset<kFieldCount + 1> fields_;  ///< with None
};

/// Whether a payload in the words of `to` tells the field, be it in another's place.
bool tells(const Dialect& to, const Event& event, Field field) {
  const EventRow* row = to.find_event(event.kind());
  if (find_field(to, row, field) != nullptr) return true;
  const Field other = stand_in(field);
  return other != Field::None && find_field(to, row, other) != nullptr && !native_field(event, other);
}

/// Members of the payload that `to` has no place for. Known canonical ones do not count: they are more than any dialect
/// has.
Json members_without_place(const Event& event, const Dialect& to) {
  const Dialect& dialect = event.dialect();
  const EventRow& row = row_of(event);
  const auto has_place = [&](std::span<const FieldRow> rows, std::string_view key) {
    const auto found = std::ranges::find(rows, key, &FieldRow::key);
    return found != rows.end() && (&dialect == &kCanonicalDialect || tells(to, event, found->field));
  };
  std::vector<std::pair<std::string, Json>> extra;
  for (const JsonMember& member : event.payload().members()) {
    if (has_place(dialect.common_inputs, member.key)) continue;
    if (has_place(row.inputs, member.key)) continue;
    extra.emplace_back(member.key, member.value);
  }
  return extra.empty() ? Json() : Json::object(extra);
}

}  // namespace

const EventRow& row_of(const Event& event) {
  const Dialect& dialect = event.dialect();
  const EventRow* first = dialect.find_event(event.kind());
  GRAPNEL_CHECK(first != nullptr);
  const auto later = std::span(first + 1, dialect.events.data() + dialect.events.size());
  if (std::ranges::find(later, event.kind(), &EventRow::kind) == later.end()) return *first;
  const FieldRow* name = find_field(dialect, nullptr, Field::EventName);
  if (name == nullptr || event.payload()[name->key].equals_string(first->wire_name)) return *first;
  const auto is_named = [&](const EventRow& row) {
    return row.kind == event.kind() && event.payload()[name->key].equals_string(row.wire_name);
  };
  const auto found = std::ranges::find_if(dialect.events, is_named);
  return found == dialect.events.end() ? *first : *found;
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

namespace {

/// A payload under construction. Setting a member in a `Json` reads all of it again, so it becomes one at the end.
class PayloadMembers {
 public:
  void set(std::string_view key, const Json& value) {
    if (key.starts_with('/')) return replace(object().with_pointer(key, value));
    const auto found = std::ranges::find(members_, key, &Member::first);
    if (found == members_.end()) {
      members_.emplace_back(key, value);
    } else {
      found->second = value;
    }
  }

  void add_constants(std::span<const ConstantRow> rows) {
    if (!rows.empty()) replace(with_constants(object(), rows));
  }

  Json object() const { return Json::object(members_); }

  std::string text(JsonStyle style) const {
    if (style != JsonStyle::Compact) return object().dump(style);
    std::string out = "{";
    for (const auto& [key, value] : members_) {
      if (out.size() > 1) out += ',';
      json::append_quoted(out, key);
      out.append(":").append(value.dump(style));
    }
    return out += '}';
  }

 private:
  using Member = std::pair<std::string, Json>;

  void replace(const Json& object) {
    members_.clear();
    for (const JsonMember& member : object.members()) members_.emplace_back(member.key, member.value);
  }

  std::vector<Member> members_;
};

}  // namespace

Json field_as(const Event& event, const Dialect& to, Field field) {
  return &event.dialect() == &to ? native_field(event, field) : translated_field(event, to, field);
}

std::optional<std::string> text_as(const Event& event, const Dialect& to, Field field) {
  const bool is_translated = field == Field::ToolName && &event.dialect() != &to;
  return is_translated ? translated_tool_name(event, to) : field_as(event, to, field).as_string();
}

std::string payload_for(const Event& event, const Dialect& to, const Supplements& supplements,
                        std::string_view event_name) {
  const std::string end = to.stdin_newline ? "\n" : "";
  if (&event.dialect() == &to && &to != &kCanonicalDialect) {
    const bool is_right = to.stdin_style == JsonStyle::Compact;
    return (is_right ? std::string(event.payload().raw()) : event.payload().dump(to.stdin_style)) + end;
  }
  PayloadMembers payload;
  const SayableFields sayable(event);
  const auto add = [&](std::span<const FieldRow> rows) {
    for (const FieldRow& row : rows) {
      const bool is_renamed = row.field == Field::EventName && !event_name.empty();
      Json value;
      if (is_renamed) {
        value = Json::string(event_name);
      } else if (sayable.has(row.field)) {
        value = with_stand_in(event, to, row.field);
      }
      if (!value) value = supplement(supplements, to, row.field);
      if (value) payload.set(row.key, value);
    }
  };
  add(to.common_inputs);
  payload.add_constants(to.constants);
  const EventRow* named = event_name.empty() ? nullptr : to.find_event(event_name);
  if (const EventRow* row = named != nullptr && named->kind == event.kind() ? named : to.find_event(event.kind())) {
    add(row->inputs);
    payload.add_constants(row->constants);
  }
  if (const Json extra = members_without_place(event, to)) {
    payload.set("extra", Json::object({{event.dialect().name, extra}}));
  }
  return payload.text(to.stdin_style) + end;
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
  return native_field(*this, field).as_string().value_or("");
}

}  // namespace grapnel
