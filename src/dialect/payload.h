#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "dialect/dialect.h"

/// Payloads between dialects: every dialect's tables lead to and from the canonical fields.
namespace grapnel {

/// What the engine knows of a field; nothing is known of most.
using Supplement = std::variant<std::monostate, std::string, int64_t, bool>;
/// What it knows when the host did not say it: time, execution id, block counts, directories. Asked only where
/// something is missing; may be none.
using Supplements = std::function<Supplement(Field field)>;
/// The fields that a payload asks supplements for.
inline constexpr auto kSupplemented =
    std::to_array({Field::TranscriptPath, Field::Cwd, Field::ProjectDir, Field::Timestamp, Field::ExecutionId,
                   Field::PermissionMode, Field::StopHookActive, Field::BlockCount});

/// The row the event came by. Of several of its kind that is the one its payload names.
const EventRow& row_of(const Event& event);

/// The payload with constants written where nothing stands and the object around is there.
Json with_constants(Json payload, std::span<const ConstantRow> rows);
/// The payload with what its rows say it lacks.
Json completed(Json payload, std::span<const CompletionRow> rows);

/// What else hooks of another agent call the event's tool: one that stands behind names of several, as for patches.
std::vector<std::string> other_tool_names(const Event& event, const Dialect& to);

/// A field as `to` would read it: its own bytes when the event is in that dialect, else names and values translated.
/// Missing when the event does not have it.
Json field_as(const Event& event, const Dialect& to, Field field);
/// The same of a string, without making a value of it; nothing for what is none.
std::optional<std::string> text_as(const Event& event, const Dialect& to, Field field);

/// The whole payload as a hook of that dialect receives it on stdin. The host's own dialect gets the host's bytes.
/// Members that have no place there stand under `extra.<the event's dialect>`; of a canonical event, which may say more
/// than any dialect, only those that no table explains.
/// With an `event_name` the payload spells its event so, unless these are the host's bytes.
std::string payload_for(const Event& event, const Dialect& to, const Supplements& supplements,
                        std::string_view event_name = {});

/// The same, to be shared: the host's bytes are not copied.
std::shared_ptr<const std::string> shared_payload_for(const Event& event, const Dialect& to,
                                                      const Supplements& supplements, std::string_view event_name);

/// The event with a field set to another value (in the event's own dialect).
Event with_field(const Event& event, Field field, const Json& value);

}  // namespace grapnel
