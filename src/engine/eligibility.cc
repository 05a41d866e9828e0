#include "engine/eligibility.h"

#include "decide/capability.h"
#include "trust/trust_store.h"

namespace grapnel {

namespace {

/// The directory that the hook's own names are relative to.
const std::string& project_of(const HookSpec& hook, const EventRun& run) {
  return hook.project.empty() ? run.context.options.project_dir : hook.project;
}

/// Whether the hook's files are still the ones that were trusted. Keeps their state in `started_as`, so that
/// `take_answers` can detect a change during the run. Hooks that need no trust pass.
bool is_trusted_still(EventRun& run, const HookSpec& hook) {
  if (hook.trust != Trust::Trusted) return true;
  const std::string dir = working_dir(hook, run.event, run_context(run));
  // A running worker was checked when it started, and its files have been watched since.
  if (hook.worker() != nullptr && run.context.workers.has_current(worker_name(hook), dir)) return true;
  const std::string project = canonical_directory(project_of(hook, run));
  PinnedFiles& closure = run.running.started_as[&hook];
  closure = pin_files(hook, project, canonical_directory(dir));
  return closure.digest == hook.digest;
}

/// A model that answers for a hook may use tools, and these calls are events, too. Beyond a depth they are not judged
/// by another model, so that judges cannot call judges for ever.
std::optional<std::string> judge_too_deep(const EventRun& run, const HookSpec& hook) {
  if (!hook.asks_judge()) return std::nullopt;
  const auto depth = run.original.get(Field::JudgeDepth).as_integer().value_or(0);
  if (depth < run.context.options.limits.judge_depth) return std::nullopt;
  return "this call comes from a judge, and judges are not judged (depth " + std::to_string(depth) + ")";
}

}  // namespace

bool is_guarded(const EventRun& run, const HookSpec& hook) {
  const EventRow* row = hook.dialect->find_event(run.original.kind());
  return row != nullptr && row->running.once_per_call;
}

std::optional<std::string> reason_to_skip(EventRun& run, const HookSpec& hook) {
  const SessionState& state = run.session.state;
  if (run.progress.is_cancelled) return "the event was cancelled";
  if (const Decision* known = run.session.guard.known; known != nullptr && is_guarded(run, hook)) {
    return "the same call was decided before (execution guard), by event " + known->event_id;
  }
  // A hook that only collects files does not care what others think of the call: it has happened.
  const bool is_chained = !hook.debounce.is_set() || run.running.settling.contains(&hook);
  if (is_chained && run.progress.ended.contains(hook.dialect)) return "an earlier hook decided";
  if (hook.scope != Scope::Managed && state.disabled.contains(hook.name)) return "disabled for this session";
  if (auto why = judge_too_deep(run, hook)) return why;
  if (!is_trusted_still(run, hook)) return std::string(kChangedSinceTrusted);
  const bool is_rule = std::holds_alternative<RuleHandler>(hook.handler);
  if (run.context.options.safety.rules_only && !is_rule) return std::string(kNoRule);
  const bool is_gate = capability(run.original.kind()).is_gate;
  return run.session.history.reason_to_skip(hook, state, is_gate, project_of(hook, run));
}

}  // namespace grapnel
