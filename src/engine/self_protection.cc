#include "engine/self_protection.h"

#include "decide/combine.h"

namespace grapnel {

std::string own_files_concern(const Snapshot& snapshot, const Event& event) {
  return snapshot.protection ? snapshot.protection->concern(event) : "";
}

/// This is the engine's own hook: it appears in the list of hooks under its own name, and its Ask is combined like that
/// of any other hook. So a Deny still outranks it, and no Allow does.
void protect_own_files(EventRun& run, std::string concern) {
  // A harmless call may have been rewritten into one that is not.
  if (concern.empty() && run.progress.effects.input) concern = own_files_concern(run.snapshot, run.event);
  if (concern.empty()) return;
  const std::string name(protect::kName);
  run.progress.fates.push_back(
      {name, "built in", HookFate::Kind::Ran, concern, Verdict::Ask, std::chrono::microseconds{0}});
  Effects ask;
  ask.verdict = Verdict::Ask;
  ask.reasons.push_back({name, concern + "; a person has to agree"});
  combine_into(run.progress.effects, std::move(ask));
}

}  // namespace grapnel
