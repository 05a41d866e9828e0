#include "engine/observe.h"

#include <algorithm>

#include "decide/combine.h"
#include "model/effects_json.h"

namespace grapnel {

void observe(EventRun& run, HookFate& fate, Effects effects) {
  fate.would = effects.verdict;
  fate.verdict = Verdict::Pass;
  if (!run.progress.would) run.progress.would.emplace();
  combine_into(*run.progress.would, std::move(effects));
}

/// The effects are finalized like real ones, so that a verdict that the event cannot have is not told as one.
std::optional<Would> would_of(EventRun& run) {
  if (!run.progress.would) return std::nullopt;
  const Decision decided = finalize(std::move(*run.progress.would), run.original.kind(),
                                    {.max_context = run.context.options.limits.max_context});
  Would would{.verdict = decided.verdict(), .reason = decided.reason(), .decided_by = {}, .effects = {}};
  const Json effects = summarize_effects(decided.effects).without("reason").without("logs");
  if (effects.size() > 0) would.effects = effects;
  if (would.verdict == Verdict::Pass && !would.effects) return std::nullopt;
  const auto& fates = run.progress.fates;
  const auto by = std::ranges::find(fates, std::optional(would.verdict), &HookFate::would);
  if (would.verdict != Verdict::Pass && by != fates.end()) would.decided_by = by->name;
  return would;
}

}  // namespace grapnel
