#include <algorithm>
#include <bit>
#include <optional>
#include <string>

#include "dialect/canonical_inputs.h"
#include "dialect/event_fields.h"
#include "dialect/payload.h"
#include "dialect/payload_members.h"
#include "dialect/tools.h"
#include "dialect/value_words.h"

/// Writes the payload of an event in the words of another dialect. This runs before every hook of another agent, so it
/// avoids work: sets of fields are bit sets, values that need no translation are copied as text, and fields that
/// nothing is known about are skipped without looking at them.
namespace grapnel {

namespace {

constexpr FieldSet set_of(std::span<const FieldRow> rows) {
  FieldSet set;
  for (const FieldRow& row : rows) set.set(row.field);
  return set;
}
constexpr FieldSet set_of(std::span<const Field> fields) {
  FieldSet set;
  for (const Field field : fields) set.set(field);
  return set;
}
constexpr FieldSet set_of(std::initializer_list<Field> fields) {
  return set_of(std::span<const Field>(fields.begin(), fields.size()));
}

/// Whether this is the canonical table. It has a row for every field, in the order of `Field`, so a row is found by its
/// index, and the set of its fields is known at compile time.
bool are_canonical(std::span<const FieldRow> rows) {
  return rows.data() == kCanonicalInputs.data();
}

FieldSet fields_of(std::span<const FieldRow> rows) {
  static constexpr FieldSet kCanonical = set_of(kCanonicalInputs);
  return are_canonical(rows) ? kCanonical : set_of(rows);
}

/// Fields that a payload can have although no member of the event contains them: they are derived from other fields.
constexpr FieldSet kMade = set_of({Field::EventName, Field::McpContext, Field::ToolPath, Field::ToolCommand});
/// Fields whose values always have to be translated between dialects.
constexpr FieldSet kTranslated = set_of({Field::ToolName, Field::ToolInput});
constexpr FieldSet kSupplementedSet = set_of(kSupplemented);

void add_fields(FieldSet& set, std::span<const ValueRow> rows) {
  for (const ValueRow& row : rows) set.set(static_cast<size_t>(row.field));
}

/// Fields whose values cannot be copied as they are: derived fields, the names of tools and arguments, and everything
/// that one of the two dialects spells in its own way.
FieldSet translated_fields(const Dialect& from, const Dialect& to) {
  FieldSet set = kMade | kTranslated;
  if (&from == &to) return set;
  add_fields(set, from.payload.values);
  add_fields(set, to.payload.values);
  return set;
}

/// Pairs of fields of which most dialects have only one; it is used for the other one, too. They are the working
/// directory and that of the project, and the model's last text and all its texts of the turn.
constexpr auto kPairs = std::to_array<std::pair<Field, Field>>({
    {Field::Cwd, Field::ProjectDir},
    {Field::FinalResponse, Field::TurnText},
});

Field stand_in(Field field) {
  for (const auto& [one, other] : kPairs) {
    if (field == one) return other;
    if (field == other) return one;
  }
  return Field::None;
}

/// The fields that may have a value. A dialect may have a place for every field, and most of them are empty.
FieldSet known_fields(const EventFields& fields, const Supplements& supplements) {
  FieldSet set = fields.present() | kMade;
  for (const auto& [one, other] : kPairs) {
    if (fields.has(other)) set.set(static_cast<size_t>(one));
    if (fields.has(one)) set.set(static_cast<size_t>(other));
  }
  return supplements ? set | kSupplementedSet : set;
}

/// A payload under construction. Call `add` for each table of the other dialect, then `add_extras`, then `text`.
class Translation {
 public:
  Translation(const Event& event, const Dialect& to, const Supplements& supplements, std::string_view event_name)
      : event_(event),
        from_(event.dialect()),
        to_(to),
        supplements_(supplements),
        event_name_(event_name),
        fields_(event),
        translated_(translated_fields(from_, to)),
        known_(known_fields(fields_, supplements)),
        payload_(event.payload()) {}

  void add(std::span<const FieldRow> rows) {
    payload_.begin_table();
    if (!are_canonical(rows)) {
      for (const FieldRow& row : rows) {
        if (known_.test(static_cast<size_t>(row.field))) add(row);
      }
      return;
    }
    // The canonical table is long: visit the known fields, not the rows.
    (known_ & fields_of(rows)).any_of([&](Field field) {
      add(rows[static_cast<size_t>(field)]);
      return false;
    });
  }

  void add_constants(std::span<const ConstantRow> rows) { payload_.add_constants(rows); }

  /// Adds the members of the event that the other dialect has no place for. Members of canonical events that a table
  /// mentions are left out, since canonical events have more fields than any dialect.
  void add_extras() {
    if (!event_.payload().is_object()) return;
    const JsonDocument& document = *JsonDocument::of(event_.payload());
    FieldSet told = fields_of(to_.payload.common_inputs);
    if (const EventRow* row = to_.find_event(event_.kind())) told |= fields_of(row->payload.inputs);
    const EventRow& own = row_of(event_);
    const uint32_t root = JsonDocument::node_of(event_.payload());
    for (uint32_t at = root + 1; at < document.node(root).next; at = document.node(at + 1).next) {
      const bool has_place = is_told_at(at + 1, told) || is_placed(from_.payload.common_inputs, document, at, told) ||
                             is_placed(own.payload.inputs, document, at, told);
      if (!has_place) payload_.add_extra(at);
    }
  }

  std::string text() const {
    return payload_.text(to_.process.stdin_style, from_.name, to_.process.stdin_newline ? "\n" : "");
  }

 private:
  /// Writes one field. Its sources, in this order: the name that the hook was registered with, the member of the event
  /// as it is, its translation, the other directory, what the engine knows.
  void add(const FieldRow& row) {
    const auto field = static_cast<size_t>(row.field);
    if (row.field == Field::EventName && !event_name_.empty()) {
      payload_.set_string(row.key, event_name_);
    } else if (fields_.has(row.field) && !translated_.test(field)) {
      payload_.set_part(row.key, fields_(row.field));
    } else if (!add_said(row.key, row.field) && !add_said(row.key, stand_in(row.field)) && supplements_ &&
               kSupplementedSet.test(field)) {
      add_supplement(row);
    }
  }

  /// Writes what the event says about the field; false if it says nothing.
  bool add_said(std::string_view key, Field field) {
    if (!fields_.has(field) && !kMade.test(static_cast<size_t>(field))) return false;
    FieldValue value = field_value(event_, to_, field, fields_);
    if (const auto* node = std::get_if<uint32_t>(&value)) {
      payload_.set_part(key, *node);
    } else if (const auto* word = std::get_if<std::string_view>(&value)) {
      payload_.set_string(key, *word);
    } else if (const auto* text = std::get_if<std::string>(&value)) {
      payload_.set_string(key, *text);
    } else if (auto* json = std::get_if<Json>(&value)) {
      payload_.set(key, std::move(*json));
    } else {
      return false;
    }
    return true;
  }

  /// Writes what the engine knows about a field, in the words of the other dialect.
  void add_supplement(const FieldRow& row) {
    const Supplement known = supplements_(row.field);
    if (const auto* text = std::get_if<std::string>(&known)) {
      const auto word = wire_word(to_, row.field, [&](std::string_view one) { return *text == one; });
      payload_.set_string(row.key, word.value_or(*text));
    } else if (const auto* number = std::get_if<int64_t>(&known)) {
      payload_.set_number(row.key, *number);
    } else if (const auto* flag = std::get_if<bool>(&known)) {
      payload_.set_flag(row.key, *flag);
    }
  }

  /// Whether the other dialect receives the field, in its own place or in that of the field it stands in for.
  bool is_told(Field field, const FieldSet& told) const {
    const Field other = stand_in(field);
    return &from_ == &kCanonicalDialect || told.test(static_cast<size_t>(field)) ||
           (other != Field::None && told.test(static_cast<size_t>(other)) && !fields_.has(other));
  }

  /// Whether the node is a field that the other dialect receives. This is a shortcut that settles most members.
  bool is_told_at(uint32_t node, const FieldSet& told) const {
    return fields_.present().any_of([&](Field field) { return fields_(field) == node && is_told(field, told); });
  }

  /// Whether the member is a field of these rows that the other dialect receives. A field may have several rows, so
  /// this also finds members that `is_told_at` does not know.
  bool is_placed(std::span<const FieldRow> rows, const JsonDocument& document, uint32_t key,
                 const FieldSet& told) const {
    const auto row = std::ranges::find_if(rows, [&](const FieldRow& one) { return document.is_key(key, one.key); });
    return row != rows.end() && is_told(row->field, told);
  }

  const Event& event_;
  const Dialect& from_;
  const Dialect& to_;
  const Supplements& supplements_;
  const std::string_view event_name_;  ///< "" means the spelling of the other dialect
  const EventFields fields_;
  const FieldSet translated_;
  const FieldSet known_;
  PayloadMembers payload_;
};

}  // namespace

std::string payload_for(const Event& event, const Dialect& to, const Supplements& supplements,
                        std::string_view event_name) {
  // The host's own hooks get exactly what the host sent, including members that Grapnel does not know. Canonical events
  // are built by callers and may lack members, so they are always completed.
  if (&event.dialect() == &to && &to != &kCanonicalDialect) {
    const bool is_right = to.process.stdin_style == JsonStyle::Compact;
    std::string text = is_right ? std::string(event.payload().raw()) : event.payload().dump(to.process.stdin_style);
    if (to.process.stdin_newline) text += '\n';
    return text;
  }
  Translation translation(event, to, supplements, event_name);
  translation.add(to.payload.common_inputs);
  translation.add_constants(to.payload.constants);
  // A kind may have several rows; the name that the hook was registered with selects one of them.
  const EventRow* named = event_name.empty() ? nullptr : to.find_event(event_name);
  if (const EventRow* row = named != nullptr && named->kind == event.kind() ? named : to.find_event(event.kind())) {
    translation.add(row->payload.inputs);
    translation.add_constants(row->payload.constants);
  }
  translation.add_extras();
  return translation.text();
}

std::shared_ptr<const std::string> shared_payload_for(const Event& event, const Dialect& to,
                                                      const Supplements& supplements, std::string_view event_name) {
  const bool is_hosts = &event.dialect() == &to && &to != &kCanonicalDialect;
  if (is_hosts && to.process.stdin_style == JsonStyle::Compact && !to.process.stdin_newline) {
    return JsonDocument::shared_raw(event.payload());
  }
  return std::make_shared<const std::string>(payload_for(event, to, supplements, event_name));
}

}  // namespace grapnel
