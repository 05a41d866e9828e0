#include "engine/take_answer.h"

#include "base/text.h"
#include "decide/combine.h"
#include "decide/interpret.h"
#include "engine/call_host.h"
#include "engine/debounce.h"
#include "engine/distrust.h"
#include "engine/eligibility.h"
#include "engine/hook_info.h"
#include "engine/leftovers.h"
#include "engine/observe.h"
#include "engine/translate_effects.h"
#include "model/effects_json.h"

namespace grapnel {

namespace {

constexpr size_t kMaxErrors = 4096;  // bytes of standard error that a record keeps

/// Notes how long the hook took, how it was started, and what it wrote to standard error.
void describe_run(HookFate& fate, const RunOutcome& outcome, std::chrono::microseconds started) {
  fate.took = outcome.took;
  fate.trace = trace_of(outcome);
  fate.trace.started = started;
  fate.contained = containment_of(outcome);
  const std::string& said = outcome.err.bytes;
  if (!said.empty()) fate.errors = text::cap(text::trim(text::to_valid_utf8(said)), kMaxErrors);
}

/// Adds the effects that the hook's failure policy demands. They come before the effects of what the hook printed
/// although it failed, so that the failure gives the first reason.
void take_failure(const HookSpec& hook, EventKind kind, HookAnswer& answer, HookFate& fate, Progress& progress) {
  fate.kind = HookFate::Kind::Failed;
  fate.detail = answer.failure->what;
  progress.is_cancelled |= answer.failure->cause == Cause::Cancelled;
  progress.has_failure |= !hook.observes();
  answer.effects = combine(effects_of_failure(hook, *answer.failure, kind), answer.effects);
}

/// Whether the dialect's table says that, after this verdict, later hooks of the same dialect do not start.
bool ends_chain(const HookSpec& hook, EventKind kind, Verdict verdict) {
  const EventRow* row = hook.dialect->find_event(kind);
  return row != nullptr && (row->running.ends_chain & mask(verdict)) != 0;
}

/// `recheck_guards` and `settle_grants` need to know whether the input changed after a rule answered.
void count_rewrites(const HookSpec& hook, const Effects& effects, Progress& progress) {
  if (effects.input || effects.prompt) ++progress.rewrites;
  progress.rewrote_output |= std::holds_alternative<RuleHandler>(hook.handler) && effects.output;
}

/// Moves a rule's allow from the effects to the grants. It waits there until no hook can change the input any more;
/// then `settle_grants` uses or drops it.
void hold_back_grant(const HookSpec& hook, uint32_t index, Effects& effects, Progress& progress) {
  if (effects.verdict != Verdict::Allow || !std::holds_alternative<RuleHandler>(hook.handler)) return;
  progress.grants.push_back({index, {.verdict = Verdict::Allow, .reasons = effects.reasons}, progress.rewrites});
  effects.verdict = Verdict::Pass;
  effects.reasons.clear();
}

/// Keeps what a guarded hook said, for the case that the call is reported again.
void note_for_guard(EventRun& run, const HookSpec& hook, const Effects& effects) {
  CallGuard& guard = run.session.guard;
  if (guard.key.empty() || !is_guarded(run, hook)) return;
  guard.has_said = true;
  guard.said.event_id = run.id;
  // The first hook with the strictest verdict is the one that decided.
  if (effects.verdict > guard.said.effects.verdict) guard.said.decided_by = hook.name;
  guard.said.effects = combine(std::move(guard.said.effects), effects);
}

/// Callbacks and rules get the event itself and no payload.
bool reads_payload(const HookSpec& hook) {
  return hook.program() != nullptr || std::holds_alternative<HttpHandler>(hook.handler) || hook.asks_judge();
}

/// Shows the observer the hook whose answer was taken last. Its fate is the last one in the list.
void show_run(EventRun& run, const HookSpec& hook, const RunOutcome& outcome) {
  const auto& observer = run.context.options.host.observer;
  if (!observer) return;
  HookRun shown = run_of(hook, outcome, run.progress.fates.back());
  shown.event_id = run.id;
  shown.event = run.original.kind();
  if (reads_payload(hook)) shown.input = *run.running.payloads.get(run.event, hook, run_context(run));
  call_host([&] { observer->hook_finished(shown); });
}

/// Tells a callback's owner that it has ended, before the next hook starts.
void tell_callback(const EventRun& run, const HookSpec& hook) {
  const auto* callback = std::get_if<CallbackHandler>(&hook.handler);
  if (callback == nullptr || !callback->ended) return;
  call_host([&] { callback->ended(run.progress.fates.back(), run.progress.effects); });
}

/// Only for trusted project hooks, whose files were noted before the start. Others are not in `started_as`.
bool changed_while_it_ran(const EventRun& run, const HookSpec& hook) {
  const auto started = run.running.started_as.find(&hook);
  return started != run.running.started_as.end() && !started->second.is_untouched();
}

}  // namespace

void take_answers(EventRun& run, const std::vector<ReadyHook>& ready, std::vector<RunOutcome>& outcomes) {
  for (size_t i = 0; i < outcomes.size(); ++i) {
    const HookSpec& hook = run.hook(ready[i].hook);
    if (changed_while_it_ran(run, hook)) {
      reject_changed(run, hook);
    } else {
      take_answer(run, ready[i].hook, outcomes[i]);
    }
    show_run(run, hook, outcomes[i]);
    tell_callback(run, hook);
  }
}

void take_answer(EventRun& run, uint32_t index, RunOutcome& outcome) {
  const HookSpec& hook = run.hook(index);
  const EventKind kind = kind_for(run, hook);
  Progress& progress = run.progress;
  const bool is_bridge = !run.context.options.discovery.bridged_agent.empty();
  HookAnswer answer = interpret_taking(hook, kind, outcome, is_bridge ? Asker::BridgedAgent : Asker::Host);
  Effects& effects = answer.effects;
  for (const std::string& complaint : answer.complaints) effects.logs.push_back({hook.name, complaint});

  HookFate& fate = progress.add_fate(hook, HookFate::Kind::Ran, describe(outcome.ending));
  describe_run(fate, outcome, run.running.stage_started);
  if (!fate.contained.left.empty() && !fate.contained.ended_leftovers) {
    add_leftovers(run.context.options.places.leftovers, hook.name, fate.contained.left);
  }
  fate.complaint = answer.error;
  fate.doubt = std::move(outcome.doubt);
  if (run.context.options.recording.sink) fate.trace.answer = summarize_effects(effects);
  if (answer.failure) take_failure(hook, kind, answer, fate, progress);
  soften_late_answer(run, hook, effects);
  run.running.long_texts.shorten(effects, *hook.dialect);
  fate.verdict = effects.verdict;

  // From here on the order matters: rewrites are counted before the grant is held back, because a grant notes how many
  // rewrites there had been, its own included.
  run.session.history.add(hook, fate.verdict, answer.failure.has_value());
  if (hook.observes()) return observe(run, fate, std::move(effects));
  if (fate.verdict == Verdict::Deny && progress.denier == nullptr) progress.denier = &hook;
  if (ends_chain(hook, kind, fate.verdict)) progress.ended.insert(hook.dialect);
  count_rewrites(hook, effects, progress);
  hold_back_grant(hook, index, effects, progress);
  translate_effects(effects, *hook.dialect, run.original);
  note_for_guard(run, hook, effects);
  combine_into(progress.effects, std::move(effects));
}

}  // namespace grapnel
