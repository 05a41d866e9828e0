#pragma once

#include <span>
#include <string_view>

#include "fleet/central_store.h"

/// Records in the words of OpenTelemetry: the JSON that OTLP/HTTP takes.
///
///   a session      a trace, which several machines share if they name the same session
///   an event       a span of it; what its background hooks did later is a span below that one
///   a hook         a span below its event, if it ran or failed
///   a decision     a record of the log, linked to the span of its event
///
/// All ids are digests of what the records say, so that whatever is sent twice has the same ids. Nothing is sent that
/// is not in the records, which were masked when they were written; payloads stay out.
namespace grapnel::fleet {

/// The body of a request to `/v1/traces`. `version` is that of this program.
Json otlp_traces(std::span<const CentralRecord> records, std::string_view version);
/// The body of a request to `/v1/logs`.
Json otlp_logs(std::span<const CentralRecord> records, std::string_view version);

}  // namespace grapnel::fleet
