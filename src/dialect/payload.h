#pragma once

#include <string>
#include <utility>
#include <vector>

#include "dialect/dialect.h"

/// Payloads between dialects: every dialect's tables lead to and from the canonical fields.
namespace grapnel {

/// Fields the engine knows when the host did not say them: time, execution id, block counts, directories.
using Supplements = std::vector<std::pair<Field, Json>>;

/// A field as `to` would read it: its own bytes when the event is in that dialect, else names and values translated.
/// Missing when the event does not have it.
Json field_as(const Event& event, const Dialect& to, Field field);

/// The whole payload as a hook of that dialect receives it on stdin. The host's own dialect gets the host's bytes.
/// Members that have no place there stand under `extra.<the event's dialect>`; of a canonical event, which may say more
/// than any dialect, only those that no table explains.
/// With an `event_name` the payload spells its event so, unless these are the host's bytes.
std::string payload_for(const Event& event, const Dialect& to, const Supplements& supplements,
                        std::string_view event_name = {});

/// The event with a field set to another value (in the event's own dialect).
Event with_field(const Event& event, Field field, const Json& value);

}  // namespace grapnel
