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

/// Payloads in the words of other dialects. Every dialect has tables from its members to the canonical fields and back,
/// so any payload can be translated for the hooks of any agent.
///
/// `field_as` and `text_as` read one field, `payload_for` writes a whole payload.
namespace grapnel {

/// What the engine knows about a field; for most fields it knows nothing.
using Supplement = std::variant<std::monostate, std::string, int64_t, bool>;
/// Values that the engine adds if the host did not send them: time, execution id, block counts, directories. The
/// function is only called for missing fields, and it may be empty.
using Supplements = std::function<Supplement(Field field)>;
/// The fields for which a payload asks for supplements.
inline constexpr auto kSupplemented =
    std::to_array({Field::TranscriptPath, Field::Cwd, Field::ProjectDir, Field::Timestamp, Field::ExecutionId,
                   Field::PermissionMode, Field::StopHookActive, Field::BlockCount});

/// The row of the event in its own dialect. If its kind has several rows, the one that the payload names.
const EventRow& row_of(const Event& event);
/// The member of payloads that names the event. An agent whose payloads do not name it gets the most widespread one.
std::string_view event_name_key(const Dialect& dialect);

/// The payload with these constants. A constant is only written if its place is empty and the object around it exists.
Json with_constants(Json payload, std::span<const ConstantRow> rows);
/// The payload with the members that the agent leaves out, as the rows describe them.
Json completed(Json payload, std::span<const CompletionRow> rows);

/// Further names that hooks of another agent have for the tool of this event. Only a tool that stands for several
/// others, such as one for all patches, has any.
std::vector<std::string> other_tool_names(const Event& event, const Dialect& to);

/// A field as a hook of dialect `to` reads it: unchanged if the event is in that dialect, otherwise with names and
/// values translated. Missing if the event does not have it.
Json field_as(const Event& event, const Dialect& to, Field field);
/// The same for a string, without building JSON; nothing if the value is not a string.
std::optional<std::string> text_as(const Event& event, const Dialect& to, Field field);

/// The whole payload as a hook of that dialect receives it on standard input. Hooks of the host's own dialect get the
/// bytes that the host sent. Members that have no place in the other dialect are written under `extra.<dialect of the
/// event>`; canonical events may have more fields than any dialect, so for them only members that no table mentions
/// are. If `event_name` is given, the payload spells the name of its event like that, unless it consists of the host's
/// bytes.
std::string payload_for(const Event& event, const Dialect& to, const Supplements& supplements,
                        std::string_view event_name = {});

/// The same as a shared string: the host's bytes are not copied.
std::shared_ptr<const std::string> shared_payload_for(const Event& event, const Dialect& to,
                                                      const Supplements& supplements, std::string_view event_name);

/// The event with a field set to another value (in the event's own dialect).
Event with_field(const Event& event, Field field, const Json& value);

}  // namespace grapnel
