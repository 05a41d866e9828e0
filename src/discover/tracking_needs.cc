#include "discover/tracking_needs.h"

#include <algorithm>

#include "dialect/dialect.h"
#include "rule/answer.h"

namespace grapnel {

void TrackingNeeds::add(const HookSpec& hook) {
  tracks_changes |= hook.when && rule::asks_for_changes(*hook.when);
  // At the end of a turn, `{files}` are those that the turn has touched.
  const bool takes_files = hook.command() != nullptr && hook.command()->takes_files;
  tracks_changes |= takes_files && !hook.debounce.is_set();
  guards_calls |= std::ranges::any_of(hook.dialect->events, [&](const EventRow& row) {
    return row.running.once_per_call && hook.listens_to(row.kind);
  });
  const auto* rule = std::get_if<RuleHandler>(&hook.handler);
  counts_compactions |= rule != nullptr && rule->inject && rule->inject->how == Inject::How::OncePerCompaction;
  for (const Clause& clause : hook.clauses) {
    if (clause.subject == Field::None) continue;
    // Translating a tool name also needs the name itself and what is known about its MCP server.
    for (const Field field : {clause.subject, Field::ToolName, Field::McpContext}) {
      subjects[static_cast<size_t>(field)] |= hook.events;
    }
  }
}

}  // namespace grapnel
