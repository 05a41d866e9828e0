#include "engine/line.h"

#include "engine/broken_guards.h"
#include "engine/debounce.h"
#include "engine/distrust.h"
#include "engine/finish.h"
#include "engine/recall.h"
#include "engine/recheck.h"
#include "engine/recording.h"
#include "engine/self_protection.h"
#include "engine/stage_hooks.h"
#include "engine/take_answer.h"

namespace grapnel {

namespace {

/// One stage: checks the conditions, runs the hooks that are left, and combines their answers. If they rewrote
/// something, later conditions have to be checked against the new event.
void walk_stage(EventRun& run, const Stage& stage) {
  ++run.progress.stage;
  const std::vector<ReadyHook> ready = ask_conditions(run, stage.hooks);
  if (ready.empty()) return;
  const size_t rewrites = run.progress.rewrites;
  std::vector<RunOutcome> outcomes = run_ready(run, ready, stage.max_parallel);
  take_answers(run, ready, outcomes);
  advance_event(run);
  const bool is_changed = run.progress.rewrites != rewrites || run.progress.rewrote_output;
  if (is_changed) run.conditions.look_at(run.event);
}

/// From the plan to the decision. `is_wanted` is false when the condition of no planned hook holds and none is due.
/// Then no hook will run at all, because only a running hook could rewrite the event into one that fits. In that case
/// the session is not even read.
Decision decide(EventRun& run, const Plan& plan, const std::vector<uint32_t>& due, bool is_wanted, std::string concern,
                std::vector<BackgroundRun>& background) {
  if (is_wanted) {
    open_session(run, plan);
    if (auto known = recall_earlier(run, plan)) return std::move(*known);
    recall_guarded(run);
    if (!due.empty()) run_due(run, due);
    for (const Stage& stage : plan.stages) walk_stage(run, stage);
    run.progress.stage = 0;
    recheck_guards(run, plan.guards);
    settle_grants(run);
  }
  protect_own_files(run, std::move(concern));
  stand_in_for_guard(run);
  if (is_wanted) background = detach_hooks(run, plan.background);
  add_untrusted_guards(run, plan.untrusted);
  return finish_event(run);
}

}  // namespace

Decision walk_line(const Snapshot& snapshot, const Event& event, const LineContext& context,
                   std::vector<BackgroundRun>& background) {
  const Plan plan = snapshot.planner.plan(event);
  Conditions conditions(event, context.conditions());
  const std::vector<uint32_t> due = due_hooks(snapshot, event, plan, context.sessions);
  const bool is_wanted = !due.empty() || (!plan.empty() && conditions.want_any(plan, snapshot.registry));
  std::string concern = own_files_concern(snapshot, event);
  // Most events concern no hook. They return here, before anything is set up or recorded for them.
  const bool is_anybodys =
      is_wanted || !plan.untrusted.empty() || !concern.empty() || missing_guard(snapshot, event, context) != nullptr;
  if (!is_anybodys && !context.options.recording.unmatched) return {};

  // In a function of its own, the decision is made where the caller wants it and not moved there.
  const auto go_on = [&] {
    EventRun run(snapshot, event, context, conditions);
    Decision decision = decide(run, plan, due, is_wanted, std::move(concern), background);
    record_event(run, plan, decision);
    return decision;
  };
  return go_on();
}

}  // namespace grapnel
