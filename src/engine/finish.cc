#include "engine/finish.h"

#include <algorithm>

#include "decide/capability.h"
#include "decide/combine.h"
#include "dialect/degrade.h"
#include "engine/ask_person.h"
#include "engine/call_host.h"
#include "engine/observe.h"
#include "session/session_env.h"

namespace grapnel {

namespace {

/// The first hook that gave the final verdict; null when none did, for instance for Pass.
const HookFate* find_decider(const std::vector<HookFate>& fates, Verdict verdict) {
  if (verdict == Verdict::Pass) return nullptr;
  const auto found = std::ranges::find(fates, verdict, &HookFate::verdict);
  return found == fates.end() ? nullptr : &*found;
}

/// A hook that stops the whole session outranks the one that gave the verdict. A verdict that no hook of this event
/// gave may be what guarded hooks said when the call was reported before.
std::string name_of_decider(const Effects& effects, const HookFate* decider, const CallGuard& guard) {
  if (effects.stop && !effects.stop_reasons.empty()) return effects.stop_reasons.front().hook;
  if (decider != nullptr) return decider->name;
  return guard.known != nullptr && guard.known->verdict() == effects.verdict ? guard.known->decided_by : "";
}

/// What the model reads if the gate stays closed: the reason, after the words of the agent that the hook was written
/// for. A hook that gave no reason of its own lets these words stand alone.
std::string continuation_text(const Decision& decision, const HookSpec* denier, EventKind kind) {
  const EventRow* row = denier == nullptr ? nullptr : denier->dialect->find_event(kind);
  const std::string reason = decision.reason();
  if (row == nullptr || row->answer.continuation.empty()) return reason;
  const std::string words(row->answer.continuation);
  return reason.empty() || reason == denier->dialect->answer.default_reason ? words : words + "\n" + reason;
}

/// Where the verdict comes from: a hook's answer, a hook's failure and its policy, the execution guard, or no hook at
/// all.
Origin origin_of_verdict(const Progress& progress, Verdict verdict, const HookFate* decider, const CallGuard& guard) {
  const bool is_failures = decider != nullptr && decider->kind != HookFate::Kind::Ran;
  if (is_failures) return verdict == Verdict::Ask ? Origin::FailAsk : Origin::FailClosed;
  // The policy may say ask or deny. But some events can be neither, so this event passed although a hook failed.
  if (verdict == Verdict::Pass && progress.has_failure) return Origin::FailOpen;
  const bool has_run =
      std::ranges::any_of(progress.fates, [](const HookFate& fate) { return fate.kind != HookFate::Kind::Skipped; });
  const bool is_remembered = guard.known != nullptr && decider == nullptr && guard.known->verdict() == verdict;
  if (is_remembered && (verdict != Verdict::Pass || !has_run)) return Origin::Remembered;
  return has_run ? Origin::Hook : Origin::NoHook;
}

/// Whether a person gave the verdict.
bool is_persons(const Progress& progress) {
  return progress.person && (progress.person->is_allowed() || progress.person->kind == PersonAnswer::Kind::Deny);
}

/// A gate also gives up when the hook that kept it closed has reached its own limit (`max_blocks`). The hook is not
/// asked any more, so this is told from its fate.
void note_worn_out(const Progress& progress, Decision& decision) {
  const auto is_worn_out = [](const HookFate& fate) {
    return fate.kind == HookFate::Kind::Skipped && fate.detail == kWornOut;
  };
  const auto found = std::ranges::find_if(progress.fates, is_worn_out);
  if (found == progress.fates.end() || decision.denied()) return;
  decision.origin = Origin::LoopCap;
  decision.effects.messages.push_back(
      {"", "hook '" + found->name + "' has closed this gate as often as it may in one turn, and it now opens"});
}

/// Saves the session's state if hooks ran for the event. If that fails, the host gets a notice and the decision stands.
void keep_session(const EventRun& run, const Decision& decision, bool is_gate) {
  const bool was_used = decision.origin != Origin::NoHook && !run.session.id.empty();
  if (!was_used || run.progress.is_cancelled) return;
  const auto saved = save_session(run.session, run.original, decision, is_gate, run.context.sessions);
  const auto& notices = run.context.options.host.notices;
  if (saved || !notices) return;
  call_host([&] { notices({"", "the session's state could not be saved: " + saved.error().message}); });
}

}  // namespace

Decision finish_event(EventRun& run) {
  Progress& progress = run.progress;
  const Limits& limits = run.context.options.limits;
  const bool is_gate = capability(run.original.kind()).is_gate;
  const bool is_worn_out = is_gate && is_gate_cap_reached(run.session, run.original, limits.gate_blocks);
  // The order matters: the decider is found after finalize, which may weaken the verdict to what the event allows.
  keep_safe_env(progress.effects);
  answer_by_rules(run);
  ask_person(run);
  Decision decision = finalize(std::move(progress.effects), run.original.kind(),
                               {.max_context = limits.max_context, .loop_cap_reached = is_worn_out});
  const HookFate* decider = find_decider(progress.fates, decision.verdict());
  decision.decided_by = name_of_decider(decision.effects, decider, run.session.guard);
  decision.person = progress.person;
  if (progress.is_cancelled) {
    // A cancelled event has no result, whatever its hooks answered before.
    decision.effects = {};
    decision.origin = Origin::Engine;
  } else if (is_persons(progress)) {
    decision.origin = Origin::Person;
    decision.decided_by = progress.asker;
  } else if (decision.origin != Origin::LoopCap) {
    decision.origin = origin_of_verdict(progress, decision.verdict(), decider, run.session.guard);
  }
  if (is_gate && !progress.is_cancelled) note_worn_out(progress, decision);
  if (is_gate && decision.denied()) {
    decision.continuation = continuation_text(decision, progress.denier, run.original.kind());
  }
  decision.would = would_of(run);
  decision.degraded = losses_of(decision.effects, run.original);
  decision.event_id = run.id;
  decision.hooks = std::move(progress.fates);
  keep_session(run, decision, is_gate);
  if (run.dedupe) run.dedupe->settle(progress.is_cancelled ? std::nullopt : std::optional(decision));
  return decision;
}

}  // namespace grapnel
