#include "session/execution_guard.h"

#include <algorithm>
#include <array>

#include "dialect/payload.h"
#include "trust/sha256.h"

namespace grapnel {

namespace {

constexpr auto kMoments = std::to_array({EventKind::PreToolUse, EventKind::PostToolUse, EventKind::PostToolUseFailure});

/// How the keys of one moment of a call begin.
std::string moment_of_call(EventKind moment, const std::string& use_id) {
  return std::string(to_string(moment)) + ":" + use_id + ":";
}

}  // namespace

/// Only events about a tool call are guarded. A prompt or a stop has no id, so a repetition could not be recognised.
std::string guard_key(const Event& event, const std::string& registry_digest) {
  const std::string use_id = event.text(Field::ToolUseId);
  if (use_id.empty() || std::ranges::find(kMoments, event.kind()) == kMoments.end()) return "";
  // The input as the host sent it, before any rewrite: a repeated report contains that one.
  const std::string call = event.text(Field::ToolName) + field_as(event, event.dialect(), Field::ToolInput).dump();
  return moment_of_call(event.kind(), use_id) + Sha256().add(call).add(registry_digest).hex().substr(0, 32);
}

const Decision* recall_decision(const SessionState& state, const std::string& key) {
  if (key.empty()) return nullptr;
  const auto found = std::ranges::find(state.remembered, key, &SessionState::Remembered::key);
  return found == state.remembered.end() ? nullptr : &found->decision;
}

void remember_decision(SessionState& state, const std::string& key, const Decision& decision) {
  // The newest is last, so the oldest is removed at the front.
  state.remembered.push_back({key, decision});
  if (state.remembered.size() > SessionState::kMaxRemembered) state.remembered.erase(state.remembered.begin());
}

/// The state is read first and written only if something changes, as in session_upkeep.cc.
void forget_other_moments(const Event& event, SessionStore& store) {
  const std::string session = event.text(Field::SessionId);
  const std::string use_id = event.text(Field::ToolUseId);
  if (session.empty() || use_id.empty() || std::ranges::find(kMoments, event.kind()) == kMoments.end()) return;
  const auto is_over = [&](const SessionState::Remembered& item) {
    return std::ranges::any_of(kMoments, [&](EventKind moment) {
      return moment != event.kind() && item.key.starts_with(moment_of_call(moment, use_id));
    });
  };
  const auto state = store.load(session);
  if (!state || std::ranges::none_of(state->remembered, is_over)) return;
  static_cast<void>(store.update(session, [&](SessionState& s) { std::erase_if(s.remembered, is_over); }));
}

}  // namespace grapnel
