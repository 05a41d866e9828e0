#include <algorithm>

#include "decide/capability.h"
#include "decide/combine.h"
#include "dialect/degrade.h"
#include "engine/firing.h"
#include "engine/session_env.h"
#include "engine/tell.h"

/// The end of an event: what depends on the whole, who decided, and what its session has to remember.
namespace grapnel {

bool Firing::loop_cap_reached() const {
  if (!capability(original_.kind()).is_gate) return false;
  if (!session_readable_) return true;  // without a count a gate might never open again
  if (original_.get(Field::StopHookActive).as_bool() == false) return false;
  const auto found = session_.blocks.find(std::string(to_string(original_.kind())));
  return found != session_.blocks.end() && found->second >= context_.options.limits.gate_blocks;
}

Decision Firing::finish() {
  keep_safe_env(effects_);
  Decision decision =
      finalize(std::move(effects_), original_.kind(),
               {.max_context = context_.options.limits.max_context, .loop_cap_reached = loop_cap_reached()});
  const Verdict verdict = decision.effects.verdict;
  const auto decider = std::ranges::find_if(
      fates_, [&](const HookFate& fate) { return verdict != Verdict::Pass && fate.verdict == verdict; });
  if (decider != fates_.end()) decision.decided_by = decider->name;
  if (decision.effects.stop && !decision.effects.stop_reasons.empty()) {
    decision.decided_by = decision.effects.stop_reasons.front().hook;
  }
  if (cancelled_) {
    decision.effects = {};
    decision.origin = Origin::Engine;
  } else if (decision.origin != Origin::LoopCap) {
    const bool ran = std::ranges::any_of(fates_, [](const HookFate& f) { return f.kind != HookFate::Kind::Skipped; });
    decision.origin = ran ? Origin::Hook : Origin::NoHook;
    const bool decided_by_failure = decider != fates_.end() && decider->kind != HookFate::Kind::Ran;
    // Whatever the policy says: an event that cannot ask, or cannot be denied, has passed although a hook failed.
    if (verdict == Verdict::Pass && !failures_.empty()) decision.origin = Origin::FailOpen;
    if (decided_by_failure) decision.origin = verdict == Verdict::Ask ? Origin::FailAsk : Origin::FailClosed;
  }
  decision.degraded = losses_of(decision.effects, original_);
  decision.event_id = id_;
  decision.hooks = std::move(fates_);
  const bool was_session_used = decision.origin != Origin::NoHook && !session_id_.empty();
  if (was_session_used && !cancelled_) save_session(decision);
  if (shared_) shared_->settle(cancelled_ ? std::nullopt : std::optional(decision));
  return decision;
}

void Firing::save_session(const Decision& decision) {
  const bool is_gate = capability(original_.kind()).is_gate;
  const bool keeps_env = original_.kind() == EventKind::SessionStart && !decision.effects.env.empty();
  if (guard_key_.empty() && !is_gate && !keeps_env && marks_.empty()) return;
  // A host that says "this is the first try of the turn" starts the count anew.
  const bool fresh_turn = original_.get(Field::StopHookActive).as_bool() == false;
  const std::string gate(to_string(original_.kind()));
  const auto saved = context_.sessions.update(session_id_, [&](SessionState& state) {
    if (is_gate && (fresh_turn || !decision.denied())) state.blocks.erase(gate);
    if (is_gate && decision.denied()) ++state.blocks[gate];
    if (is_gate && fresh_turn) state.hook_blocks.clear();
    marks_.apply(state, is_gate);
    if (keeps_env) state.env = merged_env(state.env, decision.effects.env);
    if (guard_key_.empty()) return;
    state.remembered.push_back({guard_key_, decision});
    if (state.remembered.size() > SessionState::kMaxRemembered) state.remembered.erase(state.remembered.begin());
  });
  if (!saved && context_.options.notices) {
    tell([&] { context_.options.notices({"", "session state could not be kept: " + saved.error().message}); });
  }
}

}  // namespace grapnel
