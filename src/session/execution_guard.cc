#include "session/execution_guard.h"

#include <algorithm>
#include <array>

#include "dialect/payload.h"
#include "trust/sha256.h"

namespace grapnel {

/// Only events about a tool call are guarded. A prompt or a stop has no id, so a repetition could not be recognised.
std::string guard_key(const Event& event, const std::string& registry_digest) {
  constexpr auto kGuarded =
      std::to_array({EventKind::PreToolUse, EventKind::PostToolUse, EventKind::PostToolUseFailure});
  const std::string use_id = event.text(Field::ToolUseId);
  if (use_id.empty() || std::ranges::find(kGuarded, event.kind()) == kGuarded.end()) return "";
  // The input as the host sent it, before any rewrite: a repeated report contains that one.
  const std::string call = event.text(Field::ToolName) + field_as(event, event.dialect(), Field::ToolInput).dump();
  return std::string(to_string(event.kind())) + ":" + use_id + ":" +
         Sha256().add(call).add(registry_digest).hex().substr(0, 32);
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

}  // namespace grapnel
