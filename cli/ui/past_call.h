#pragma once

#include <optional>

#include "grapnel/event.h"
#include "grapnel/json.h"

#include "model/hook_spec.h"

namespace grapnel::cli {

/// What rules ask about an event, beyond what every record has (its tool, its session, its agent).
struct RuleNeeds {
  bool commands = false;
  bool paths = false;
  bool rest = false;  ///< prompts, outputs, other arguments: only a whole payload has them

  static RuleNeeds of(const std::vector<HookSpec>& hooks, EventKind at);
};

/// The event of a record, complete enough for rules with these needs; nothing if the record has not kept enough.
/// Without a payload, the subject of a call is its command or its file.
std::optional<Event> rebuild_event(const Json& record, const RuleNeeds& needs);

}  // namespace grapnel::cli
