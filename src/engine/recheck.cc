#include "engine/recheck.h"

#include <algorithm>

#include "decide/combine.h"
#include "engine/eligibility.h"
#include "engine/hook_info.h"
#include "engine/stage_hooks.h"
#include "engine/take_answer.h"

namespace grapnel {

namespace {

/// Whether this hook has not given this verdict yet. A guard that already asked need not ask a second time.
bool is_news(const std::vector<HookFate>& fates, const HookSpec& hook, Verdict verdict) {
  return std::ranges::none_of(fates, [&](const HookFate& fate) {
    return fate.name == hook.name && (fate.verdict == verdict || fate.would == verdict);
  });
}

/// Removes everything but the verdict and its reason: a rule must not rewrite the result of its own rewrite.
void keep_verdict_only(RunOutcome& outcome) {
  auto* returned = std::get_if<Returned>(&outcome.ending);
  if (returned == nullptr) return;
  returned->effects = {.verdict = returned->effects.verdict, .reasons = returned->effects.reasons};
}

}  // namespace

void recheck_guards(EventRun& run, std::span<const uint32_t> guards) {
  if (run.progress.rewrites == 0) return;
  for (const uint32_t index : guards) {
    // Nothing can outrank a Deny, so the remaining guards change nothing.
    if (run.progress.effects.verdict == Verdict::Deny) return;
    const HookSpec& hook = run.hook(index);
    const rule::Match match = run.conditions.ask(hook);
    if (!rule::is_enough(match.answer, rule::Quantifier::Some) || reason_to_skip(run, hook)) continue;
    RunOutcome outcome;
    answer_rule(run, hook, match, outcome);
    keep_verdict_only(outcome);
    const auto* const returned = std::get_if<Returned>(&outcome.ending);
    const Verdict verdict =
        returned != nullptr ? returned->effects.verdict : std::get<RuleHandler>(hook.handler).verdict;
    if (is_news(run.progress.fates, hook, verdict)) take_answer(run, index, outcome);
  }
}

void settle_grants(EventRun& run) {
  Progress& progress = run.progress;
  for (Grant& grant : progress.grants) {
    const HookSpec& hook = run.hook(grant.hook);
    // Either nothing was rewritten since the rule answered, or the rule's condition also holds for the final input.
    if (grant.rewrites == progress.rewrites || run.conditions.hold(hook)) {
      progress.granted.emplace_back(&hook, grant.effects.reasons);
      combine_into(progress.effects, std::move(grant.effects));
      continue;
    }
    const auto fate = std::ranges::find(progress.fates, hook.name, &HookFate::name);
    // The record must not show an allow that was not used.
    if (fate != progress.fates.end()) *fate = skipped_fate(hook, "a later hook rewrote the input that it had allowed");
  }
}

}  // namespace grapnel
