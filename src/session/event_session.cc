#include "session/event_session.h"

#include "session/session_env.h"

namespace grapnel {

namespace {

/// Some hosts say themselves that no stop hook has blocked in this turn yet. Then the counts start at zero again. An
/// agent that sends itself prompts is not believed: Gemini CLI says so again after each tool call.
bool starts_counts_anew(const Event& event, const SessionState& state) {
  return !state.goes_on && event.get(Field::StopHookActive).as_bool() == false;
}

}  // namespace

Result<void> load_session(EventSession& session, const Event& event, SessionStore& store) {
  if (session.id.empty()) return {};
  auto state = store.load(session.id);
  session.is_readable = state.has_value();
  if (!state) return std::unexpected(state.error());
  session.state = std::move(*state);
  const bool has_counts = !session.state.hook_blocks.empty();
  if (has_counts && starts_counts_anew(event, session.state)) session.state.hook_blocks.clear();
  return {};
}

bool is_gate_cap_reached(const EventSession& session, const Event& event, uint32_t limit) {
  if (!session.is_readable) return true;
  if (starts_counts_anew(event, session.state)) return false;
  const auto found = session.state.blocks.find(std::string(to_string(event.kind())));
  return found != session.state.blocks.end() && found->second >= limit;
}

Result<void> save_session(const EventSession& session, const Event& event, const Decision& decision, bool is_gate,
                          SessionStore& store) {
  // Only the start of a session may set variables for all later hooks.
  const bool keeps_env = event.kind() == EventKind::SessionStart && !decision.effects.env.empty();
  // Most events change nothing in the session. They must not pay for locking and writing a file.
  if (!session.guard.has_said && !is_gate && !keeps_env && session.history.empty()) return {};
  const std::string gate(to_string(event.kind()));
  // The update works on the stored state and not on the copy that was loaded, because other events may have changed the
  // state since then.
  return store.update(session.id, [&](SessionState& state) {
    const bool is_fresh_turn = starts_counts_anew(event, state);
    // An open gate starts its count again: only blocks in a row count.
    if (is_gate && (is_fresh_turn || !decision.denied())) state.blocks.erase(gate);
    // The agent has no reason to go on any more, so the next prompt with this text is a person's.
    if (is_gate && !decision.denied()) state.refusal.clear();
    if (is_gate && decision.denied()) {
      ++state.blocks[gate];
      state.refusal = decision.reason();
    }
    if (is_gate && is_fresh_turn) state.hook_blocks.clear();
    session.history.apply(state, is_gate);
    if (keeps_env) state.env = merged_env(state.env, decision.effects.env);
    if (session.guard.has_said) remember_decision(state, session.guard.key, session.guard.said);
  });
}

}  // namespace grapnel
