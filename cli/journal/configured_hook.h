#pragma once

#include <string>
#include <string_view>

#include "grapnel/json.h"

/// Hooks as a registry snapshot has them, and why one took no part in an event.
namespace grapnel::cli {

/// The hook of that name in a snapshot, or missing.
Json find_configured(const Json& registry, std::string_view name);

bool listens_to(const Json& hook, std::string_view event);

/// What its file says it is for: `matcher write_file`, or "" when it says nothing of that kind.
std::string matcher_text(const Json& hook);

/// Why a hook that is not in the record of an event is not: it is disabled, untrusted, for other events, or the event
/// was not what it is for.
std::string absence_text(const Json& hook, std::string_view event, std::string_view tool);

}  // namespace grapnel::cli
