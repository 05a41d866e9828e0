#include "discover/tracking_needs.h"

#include <algorithm>

#include "dialect/dialect.h"
#include "rule/answer.h"

namespace grapnel {

namespace {

/// Whether a rule or a command (null if the hook is none) adds its text again after each compaction.
template <typename Injecting>
bool injects_per_compaction(const Injecting* handler) {
  return handler != nullptr && handler->inject && handler->inject->how == Inject::How::OncePerCompaction;
}

}  // namespace

void TrackingNeeds::add(const HookSpec& hook) {
  tracks_changes |= hook.when && rule::asks_for_changes(*hook.when);
  // At the end of a turn, `{files}` are those that the turn has touched.
  const bool takes_files = hook.command() != nullptr && hook.command()->takes_files;
  tracks_changes |= takes_files && !hook.debounce.is_set();
  guards_calls |= std::ranges::any_of(hook.dialect->events, [&](const EventRow& row) {
    return row.running.once_per_call && hook.listens_to(row.kind);
  });
  counts_compactions |= injects_per_compaction(std::get_if<RuleHandler>(&hook.handler));
  counts_compactions |= injects_per_compaction(hook.command());
  for (const Clause& clause : hook.clauses) {
    if (clause.subject == Field::None) continue;
    // Translating a tool name also needs the name itself and what is known about its MCP server.
    for (const Field field : {clause.subject, Field::ToolName, Field::McpContext}) {
      subjects[static_cast<size_t>(field)] |= hook.events;
    }
  }
}

}  // namespace grapnel
