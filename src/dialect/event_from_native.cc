#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "dialect/payload.h"

/// Finds out which event a native payload is. Either the payload names it, or the caller does; if both do, they must
/// agree. Several kinds may share one name in an agent, so the members of the payload decide between their rows.
namespace grapnel {

namespace {

/// The member of payloads that names the event, or "" if payloads of this agent do not name it.
std::string_view event_name_key(const Dialect& dialect) {
  const auto found = std::ranges::find(dialect.payload.common_inputs, Field::EventName, &FieldRow::field);
  return found == dialect.payload.common_inputs.end() ? std::string_view{} : found->key;
}

bool holds_value(const Json& payload, std::string_view pointer) {
  const Json value = payload.at_pointer(pointer);
  return value && !value.is_null();
}

/// Of the rows that share a wire name, the one whose condition the payload meets.
const EventRow* row_for(const Dialect& dialect, const EventRow& named, const Json& payload) {
  for (const EventRow& row : dialect.events) {
    if (row.wire_name != named.wire_name) continue;
    if (!row.applies.only_if.empty() && !holds_value(payload, row.applies.only_if)) continue;
    if (!row.applies.only_unless.empty() && holds_value(payload, row.applies.only_unless)) continue;
    return &row;
  }
  return &named;
}

/// The error for a name that has no row. An event that the agent has but Grapnel does not support is distinguished from
/// a misspelt one: it has its own error code, so that callers can ignore it.
std::unexpected<Error> unknown_event(const Dialect& dialect, std::string_view name) {
  const auto& listed = dialect.entries.unsupported_events;
  if (std::ranges::find(listed, name) != listed.end()) {
    return fail(Errc::NotFound, "'" + std::string(name) + "' is an event that Grapnel does not support");
  }
  std::vector<std::string_view> spellings;
  for (const EventRow& row : dialect.events) spellings.push_back(row.wire_name);
  std::string message = "'" + std::string(name) + "' is not an event of dialect " + std::string(dialect.name);
  if (const auto near = text::nearest(name, spellings); !near.empty()) {
    message += "; did you mean '" + std::string(near) + "'?";
  }
  return fail(Errc::BadInput, std::move(message));
}

/// The event with that name; both the agent's and the canonical spelling are accepted.
const EventRow* find_spelled(const Dialect& dialect, std::string_view name) {
  if (const EventRow* row = dialect.find_event(name)) return row;
  const auto kind = event_kind_from(name);
  return kind ? dialect.find_event(*kind) : nullptr;
}

}  // namespace

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

  const std::string_view key = event_name_key(*dialect);
  const std::string said = payload[key].as_string().value_or("");
  if (said.empty() && name.empty()) {
    const std::string missing = key.empty() ? "" : " ('" + std::string(key) + "' is missing)";
    return fail(Errc::BadInput, "the payload names no event" + missing + "; say which one it is");
  }
  const EventRow* by_payload = said.empty() ? nullptr : find_spelled(*dialect, said);
  if (!said.empty() && by_payload == nullptr) return unknown_event(*dialect, said);
  const EventRow* by_name = name.empty() ? nullptr : find_spelled(*dialect, name);
  if (!name.empty() && by_name == nullptr) return unknown_event(*dialect, name);
  if (by_payload != nullptr && by_name != nullptr && by_payload->wire_name != by_name->wire_name) {
    return fail(Errc::BadInput,
                "the payload says '" + said + "' but the event was given as '" + std::string(name) + "'");
  }
  const EventRow* named = by_payload != nullptr ? by_payload : by_name;
  GRAPNEL_CHECK(named != nullptr);
  const EventRow* row = row_for(*dialect, *named, payload);
  // The completions of all events come first, so that those of this event can build on them.
  payload = completed(completed(std::move(payload), dialect->payload.completions), row->payload.completions);
  return Event(row->kind, dialect, std::move(payload));
}

}  // namespace grapnel
