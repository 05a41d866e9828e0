#include "engine/recall.h"

#include <algorithm>

#include "decide/combine.h"
#include "dialect/degrade.h"
#include "engine/eligibility.h"
#include "engine/hook_info.h"

namespace grapnel {

namespace {

/// The earlier decision as the decision of this event: it has this event's id, and lists all its hooks as skipped.
Decision remembered(Decision decision, const EventRun& run, const Plan& plan, const std::string& why) {
  decision.origin = Origin::Remembered;
  decision.degraded = losses_of(decision.effects, run.original);
  decision.event_id = run.id;
  decision.hooks.clear();
  const auto skip_all = [&](const std::vector<uint32_t>& hooks) {
    for (const uint32_t index : hooks) decision.hooks.push_back(skipped_fate(run.hook(index), why));
  };
  for (const Stage& stage : plan.stages) skip_all(stage.hooks);
  skip_all(plan.background);
  return decision;
}

/// The part of another route's decision that is repeated here: verdict, stop and their reasons.
Decision verdict_of(const Decision& decided) {
  Decision decision{.decided_by = decided.decided_by};
  decision.effects.verdict = decided.effects.verdict;
  decision.effects.reasons = decided.effects.reasons;
  decision.effects.stop = decided.effects.stop;
  decision.effects.stop_reasons = decided.effects.stop_reasons;
  return decision;
}

}  // namespace

void open_session(EventRun& run, const Plan& plan) {
  if (const auto loaded = load_session(run.session, run.original, run.context.sessions); !loaded) {
    run.progress.effects.messages.push_back({"", "session state is unavailable: " + loaded.error().message});
  }
  const auto is_any_guarded = [&](const Stage& stage) {
    return std::ranges::any_of(stage.hooks, [&](uint32_t index) { return is_guarded(run, run.hook(index)); });
  };
  if (!std::ranges::any_of(plan.stages, is_any_guarded)) return;
  // Decisions are remembered per set of hooks: after a reload, the same call is decided again.
  run.session.guard.key = guard_key(run.original, run.snapshot.registry.digest);
}

std::optional<Decision> recall_earlier(EventRun& run, const Plan& plan) {
  // Only bridged agents report one call by several routes.
  const bool may_be_told_twice = !run.context.options.discovery.bridged_agent.empty();
  // Without a session id, two reports of one call cannot be matched with each other.
  if (!may_be_told_twice || run.session.id.empty()) return std::nullopt;
  run.dedupe.emplace(run.original, run.context.sessions);
  const auto decided = run.dedupe->join(run.context.stop);
  if (!decided) return std::nullopt;
  return remembered(verdict_of(*decided), run, plan,
                    "the agent reported the same call before, and event " + decided->event_id + " decided it");
}

void recall_guarded(EventRun& run) {
  CallGuard& guard = run.session.guard;
  guard.known = recall_decision(run.session.state, guard.key);
  if (guard.known == nullptr) return;
  Effects effects = guard.known->effects;
  if (effects.input) ++run.progress.rewrites;
  combine_into(run.progress.effects, std::move(effects));
  advance_event(run);
  run.conditions.look_at(run.event);
}

}  // namespace grapnel
