#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/text.h"
#include "dialect/payload.h"
#include "dialect/spoken.h"
#include "json/document.h"

/// Finds out which event a native payload is. Either the payload names it, or the caller does; if both do, they must
/// agree. Several kinds may share one name in an agent, so the members of the payload decide between their rows. An
/// event of an agent that no table knows is `EventKind::Other`; it is never refused, because that would be Grapnel's
/// fault.
namespace grapnel {

namespace {

bool holds_value(const Json& payload, std::string_view pointer) {
  const Json value = payload.at_pointer(pointer);
  return value && !value.is_null();
}

/// Of the rows that share a wire name, the one whose condition the payload meets.
const EventRow* row_for(const Dialect& dialect, const EventRow& named, const Json& payload) {
  for (const EventRow& row : dialect.events) {
    if (&row != &named && row.wire_name != named.wire_name) continue;
    if (!row.applies.only_if.empty() && !holds_value(payload, row.applies.only_if)) continue;
    if (!row.applies.only_unless.empty() && holds_value(payload, row.applies.only_unless)) continue;
    return &row;
  }
  return &named;
}

/// Whether the dialect is one of Grapnel's own, which no agent speaks: then an unknown event is a mistake of a person.
bool is_ours(const Dialect& dialect) {
  return &dialect == &kCanonicalDialect || &dialect == &kGrapnelDialect;
}

/// The event that the dialect has and that looks most like an unknown name, or "".
std::string_view nearest_event(const Dialect& dialect, std::string_view name) {
  std::vector<std::string_view> spellings;
  for (const EventRow& row : dialect.events) spellings.push_back(row.wire_name);
  return text::nearest(name, spellings);
}

std::unexpected<Error> unknown_event(const Dialect& dialect, std::string_view name) {
  std::string message = "'" + std::string(name) + "' is not an event of dialect " + std::string(dialect.name);
  if (const auto near = nearest_event(dialect, name); !near.empty()) {
    message += "; did you mean '" + std::string(near) + "'?";
  }
  return fail(Errc::BadInput, std::move(message));
}

/// The event whose name differs only in case and marks, or that another agent calls so: `pre_tool_use`, `BeforeTool`.
/// A guard that does not recognise its event would be off.
const EventRow* find_alike(const Dialect& dialect, std::string_view name) {
  const auto is_alike = [&](const EventRow& row) { return spelled_alike(row.wire_name, name); };
  const auto own = std::ranges::find_if(dialect.events, is_alike);
  if (own != dialect.events.end()) return &*own;
  for (const Dialect* other : all_dialects()) {
    const auto row = std::ranges::find_if(other->events, is_alike);
    if (row != other->events.end() && dialect.find_event(row->kind) != nullptr) return dialect.find_event(row->kind);
  }
  return nullptr;
}

/// The event before a tool, for names that no agent has but that can mean nothing else: `PreToolCall`. Only a payload
/// is guessed at: a person who misspells an event is told so.
const EventRow* guessed_call(const Dialect& dialect, std::string_view said) {
  const std::string lower = text::to_lower(said);
  const bool is_before = lower.contains("pre") || lower.contains("before");
  return is_before && lower.contains("tool") ? dialect.find_event(EventKind::PreToolUse) : nullptr;
}

/// Members that no agent has for the input of a tool, but that others do.
constexpr auto kOtherInputKeys =
    std::to_array<std::string_view>({"input", "args", "arguments", "parameters", "params"});

/// Whether some agent, or somebody else, has this field under that name.
bool is_name_of(Field field, std::string_view key) {
  const auto is_so = [&](const FieldRow& row) { return row.field == field && spelled_alike(row.key, key); };
  for (const Dialect* dialect : all_dialects()) {
    for (const EventRow& row : dialect->events) {
      if (std::ranges::any_of(row.payload.inputs, is_so)) return true;
    }
  }
  return field == Field::ToolInput && std::ranges::find(kOtherInputKeys, text::to_lower(key)) != kOtherInputKeys.end();
}

/// The arguments of a tool that are beside its name instead of in its input.
Json loose_arguments(const Json& payload) {
  Json input;
  for (const JsonMember& member : payload.members()) {
    const auto is_argument = [&](std::string_view key) { return spelled_alike(key, member.key); };
    const bool is_one = std::ranges::any_of(all_dialects(), [&](const Dialect* dialect) {
      const InputKeys& keys = dialect->tools.input_keys;
      return std::ranges::any_of(keys.command_keys, is_argument) || std::ranges::any_of(keys.path_keys, is_argument);
    });
    if (is_one) input = (input ? input : Json::object()).with(member.key, member.value);
  }
  return input;
}

/// Whether the value says nothing: it is missing, null, or an empty text or object.
bool is_blank(const JsonDocument& payload, uint32_t node) {
  if (node == 0) return true;
  const JsonNode& value = payload.node(node);
  const bool is_container = value.kind == JsonKind::Object || value.kind == JsonKind::Array;
  if (is_container) return value.next == node + 1;
  return value.kind == JsonKind::Null || (value.kind == JsonKind::String && payload.string_body(node).empty());
}
bool is_blank(const Json& value) {
  return !value || is_blank(*JsonDocument::of(value), JsonDocument::node_of(value));
}

/// The call itself, if the payload has it in a member or a list of its own: `{"tool_call": {"name": …, "args": …}}`.
Json wrapped_call(const Json& payload) {
  const auto is_call = [](const Json& value) {
    const auto has = [&](Field field) {
      return std::ranges::any_of(value.members(), [&](const JsonMember& member) {
        const bool is_name = field == Field::ToolName && spelled_alike(member.key, "name");
        return is_name || is_name_of(field, member.key);
      });
    };
    return has(Field::ToolName) && has(Field::ToolInput);
  };
  for (const JsonMember& member : payload.members()) {
    if (is_call(member.value)) return member.value;
    for (const Json& element : member.value.elements()) {
      if (is_call(element)) return element;
    }
  }
  return {};
}

Json member_of(const Json& object, Field field, std::string_view but) {
  for (const JsonMember& member : object.members()) {
    const bool is_it = !is_blank(member.value) && member.key != but && is_name_of(field, member.key);
    if (is_it && !(field == Field::ToolName && member.value.is_object())) return member.value;
  }
  return {};
}

Json member_for(const Json& payload, const FieldRow& own) {
  if (Json beside = member_of(payload, own.field, own.key)) return beside;
  if (const Json call = wrapped_call(payload)) {
    Json inside = member_of(call, own.field, "");
    return inside || own.field != Field::ToolName ? inside : call["name"];
  }
  return own.field == Field::ToolInput ? loose_arguments(payload) : Json();
}

/// The event with that name; both the agent's and the canonical spelling are accepted.
const EventRow* find_spelled(const Dialect& dialect, std::string_view name) {
  if (const EventRow* row = dialect.find_event(name)) return row;
  const auto kind = event_kind_from(name);
  if (kind) return dialect.find_event(*kind);
  return is_other_event(name) ? nullptr : find_alike(dialect, name);
}

/// A tool call whose name and input are not where the agent has them, but under a name that is spelled alike or that
/// another agent has for them: `toolName`, `Tool_Input`, `args`. They are copied to their place, so that no guard
/// overlooks the call.
Json with_tool_members(Json payload, const EventRow& row) {
  for (const FieldRow& own : row.payload.inputs) {
    const bool is_tool = own.field == Field::ToolName || own.field == Field::ToolInput;
    if (!is_tool || own.key.starts_with('/')) continue;
    const JsonDocument& document = *JsonDocument::of(payload);
    if (!is_blank(document, document.find_member(JsonDocument::node_of(payload), own.key))) continue;
    if (Json value = member_for(payload, own)) payload = payload.with(own.key, value);
  }
  return payload;
}

std::unexpected<Error> named_twice(const std::string& said, std::string_view name) {
  return fail(Errc::BadInput, "the payload says '" + said + "' but the event was given as '" + std::string(name) + "'");
}

/// What the payload calls its event; a member that is spelled alike stands in for one that is missing.
std::string event_name_in(const Json& payload, std::string_view key) {
  const JsonDocument& document = *JsonDocument::of(payload);
  const uint32_t said = document.find_member(JsonDocument::node_of(payload), key);
  if (said != 0) return document.node(said).kind == JsonKind::String ? document.string(said) : "";
  if (key.empty()) return "";
  for (const JsonMember& member : payload.members()) {
    if (spelled_alike(member.key, key)) return member.value.as_string().value_or("");
  }
  return "";
}

}  // namespace

/// An event that is not in the dialect's table. An agent may well have one, but a person who gives a name by hand has
/// more likely misspelt it or taken another agent's, and so has whoever uses Grapnel's own words.
Result<Event> Event::other_event(const Dialect& dialect, Json payload, std::string_view said, std::string_view name) {
  const std::string_view unknown = said.empty() ? name : said;
  const auto kind = event_kind_from(unknown);
  const bool looks_wrong = is_ours(dialect) || (said.empty() && (kind || !nearest_event(dialect, unknown).empty()));
  if (looks_wrong && !is_other_event(unknown)) return unknown_event(dialect, unknown);
  if (said.empty()) payload = payload.with(event_name_key(dialect), Json::string(name));
  return Event(kind.value_or(EventKind::Other), &dialect, std::move(payload));
}

Result<Event> Event::from_native(std::string_view dialect_name, Json payload, std::string_view name) {
  const Dialect* dialect = find_dialect(dialect_name);
  if (dialect == nullptr) {
    std::vector<std::string_view> names;
    for (const Dialect* known : all_dialects()) names.push_back(known->name);
    std::string message = "unknown dialect '" + std::string(dialect_name) + "'";
    if (const auto near = text::nearest(dialect_name, names); !near.empty()) {
      message += "; did you mean '" + std::string(near) + "'?";
    }
    return fail(Errc::BadInput, std::move(message));
  }
  if (!payload.is_object()) return fail(Errc::BadInput, "the payload must be a JSON object");

  const auto names_itself = std::ranges::find(dialect->payload.common_inputs, Field::EventName, &FieldRow::field);
  const std::string_view key = names_itself == dialect->payload.common_inputs.end() ? "" : names_itself->key;
  const std::string said = event_name_in(payload, key);
  if (said.empty() && name.empty()) {
    const std::string missing = key.empty() ? "" : " ('" + std::string(key) + "' is missing)";
    return fail(Errc::BadInput, "the payload names no event" + missing + "; say which one it is");
  }
  const EventRow* by_payload = said.empty() ? nullptr : find_spelled(*dialect, said);
  if (by_payload == nullptr && !is_other_event(said) && !is_ours(*dialect)) by_payload = guessed_call(*dialect, said);
  const EventRow* by_name = name.empty() ? nullptr : find_spelled(*dialect, name);
  if (by_payload == nullptr && by_name == nullptr) {
    if (!said.empty() && !name.empty() && said != name) return named_twice(said, name);
    return other_event(*dialect, std::move(payload), said, name);
  }
  const bool has_both = !said.empty() && !name.empty();
  const bool agree = by_payload != nullptr && by_name != nullptr && by_payload->wire_name == by_name->wire_name;
  if (has_both && !agree) return named_twice(said, name);
  const EventRow* named = by_payload != nullptr ? by_payload : by_name;
  GRAPNEL_CHECK(named != nullptr);
  const EventRow* row = row_for(*dialect, *named, payload);
  // The completions of all events come first, so that those of this event can build on them.
  payload = completed(completed(std::move(payload), dialect->payload.completions), row->payload.completions);
  payload = with_tool_members(std::move(payload), *row);
  return Event(row->kind, dialect, std::move(payload));
}

}  // namespace grapnel
