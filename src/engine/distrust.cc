#include "engine/distrust.h"

#include "decide/combine.h"
#include "decide/failure.h"
#include "engine/eligibility.h"
#include "engine/observe.h"

namespace grapnel {

namespace {

/// Notes the hook's fate and, if its policy asks for it, makes the event an Ask. A skipped hook with policy `open`, or
/// whose condition does not hold, changes nothing. A hook that changed while it ran always leads to its effects of
/// distrust, because its answer is lost.
void distrust(EventRun& run, const HookSpec& hook, std::string why, HookFate::Kind kind) {
  HookFate& fate = run.progress.add_fate(hook, kind, std::move(why));
  const bool is_skipped = kind == HookFate::Kind::Skipped;
  if (is_skipped && (hook.failure.on_failure == OnFailure::Open || !run.conditions.hold(hook))) return;
  Effects ask = effects_of_distrust(hook, run.original.kind(), "is " + fate.detail);
  if (hook.observes()) return observe(run, fate, std::move(ask));
  fate.verdict = ask.verdict;
  combine_into(run.progress.effects, std::move(ask));
}

}  // namespace

void skip_hook(EventRun& run, const HookSpec& hook, std::string why) {
  // This is the only reason that may mean that somebody tampered with the hook.
  if (why == kChangedSinceTrusted) return distrust(run, hook, std::move(why), HookFate::Kind::Skipped);
  run.progress.add_fate(hook, HookFate::Kind::Skipped, std::move(why));
}

void reject_changed(EventRun& run, const HookSpec& hook) {
  distrust(run, hook, "untrusted: its files changed while it ran, so its answer is not used", HookFate::Kind::Failed);
}

void add_untrusted_guards(EventRun& run, const std::vector<uint32_t>& hooks) {
  for (const uint32_t index : hooks) distrust(run, run.hook(index), "untrusted", HookFate::Kind::Skipped);
}

}  // namespace grapnel
