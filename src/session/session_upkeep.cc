#include "session/session_upkeep.h"

#include "session/deferred.h"
#include "session/hook_history.h"
#include "session/stored_state.h"

namespace grapnel {

namespace {

/// Whether the agent sent the prompt to itself, in order to go on after a refused end or after a tool call: Qwen Code
/// sends an empty one, Gemini CLI the reason of the refusal. If that started a turn, a gate would never reach its
/// limit.
bool is_from_agent(const Event& event, const SessionState& state) {
  const Json prompt = event.get(Field::Prompt);
  if (!prompt.as_string()) return false;
  const std::string text = event.text(Field::Prompt);
  return text.empty() || repeats_refusal(text, state);
}

}  // namespace

// Each function reads the state first and writes only if something changes: for a host with one process per event, a
// write means a lock and a new file.

void note_start(const Event& event, SessionStore& store) {
  const std::string session = event.text(Field::SessionId);
  if (session.empty()) return;
  const auto state = store.load(session);
  if (!state || state->started_ms != 0) return;
  static_cast<void>(store.update(session, [](SessionState& s) {
    if (s.started_ms == 0) s.started_ms = now_ms();
  }));
}

void start_turn(const Event& event, SessionStore& store) {
  const std::string session = event.text(Field::SessionId);
  if (session.empty()) return;
  const auto state = store.load(session);
  if (!state || (state->blocks.empty() && state->hook_blocks.empty() && state->touched.empty())) return;
  if (is_from_agent(event, *state)) {
    if (!state->goes_on) static_cast<void>(store.update(session, [](SessionState& s) { s.goes_on = true; }));
    return;
  }
  static_cast<void>(store.update(session, [](SessionState& s) {
    s.refusal.clear();
    s.goes_on = false;
    s.blocks.clear();
    s.hook_blocks.clear();
    s.touched.clear();
  }));
}

void end_session(const Event& event, SessionStore& store) {
  const std::string session = event.text(Field::SessionId);
  if (session.empty()) return;
  const auto state = store.load(session);
  if (!state || (state->remembered.empty() && state->approved.empty())) return;
  // `swap` also releases the memory, which `clear` would keep.
  static_cast<void>(store.update(session, [](SessionState& s) {
    std::vector<SessionState::Remembered>().swap(s.remembered);
    s.approved.clear();
  }));
}

void note_compaction(const Event& event, SessionStore& store) {
  const std::string session = event.text(Field::SessionId);
  if (!session.empty()) static_cast<void>(store.update(session, forget_injected));
}

void note_touched(const Event& event, const std::vector<std::string>& files, SessionStore& store) {
  const std::string session = event.text(Field::SessionId);
  if (session.empty() || files.empty()) return;
  static_cast<void>(store.update(session, [&](SessionState& state) {
    for (const std::string& file : files) {
      if (state.touched.size() < SessionState::kMaxTouched) state.touched.insert(file);
    }
  }));
}

}  // namespace grapnel
