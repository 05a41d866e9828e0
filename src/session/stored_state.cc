#include "session/stored_state.h"

#include <algorithm>

namespace grapnel {

namespace {

void mask_texts(std::vector<Attributed>& items, const Mask& mask) {
  for (Attributed& item : items) item.text = mask.apply(item.text);
}

void mask_texts(Effects& effects, const Mask& mask) {
  for (auto* items : {&effects.reasons, &effects.context, &effects.stop_reasons, &effects.messages, &effects.logs}) {
    mask_texts(*items, mask);
  }
}

bool has_secret(const Json& value, const Mask& mask) {
  return value && mask.apply(value).dump() != value.dump();
}

bool has_secret(const std::optional<std::string>& text, const Mask& mask) {
  return text && mask.apply(*text) != *text;
}

/// Whether what the decision changes contains a secret.
bool changes_secret(const Effects& effects, const Mask& mask) {
  const auto is_secret = [&](const std::optional<Json>& value) { return value && has_secret(*value, mask); };
  return (effects.input && has_secret(effects.input->value, mask)) || is_secret(effects.output) ||
         is_secret(effects.model_request) || is_secret(effects.model_response) || is_secret(effects.tail_call) ||
         is_secret(effects.elicitation) || has_secret(effects.prompt, mask) || has_secret(effects.notification, mask);
}

}  // namespace

SessionState fit_for_storage(SessionState state, const Mask& mask) {
  if (!state.refusal.empty()) state.refusal = mask.apply(state.refusal);
  for (std::string& text : state.unseen) text = mask.apply(text);
  for (SessionState::Approved& item : state.approved) item.subject = mask.apply(item.subject);
  std::erase_if(state.remembered, [&](const auto& item) { return changes_secret(item.decision.effects, mask); });
  std::erase_if(state.shared, [&](const auto& item) { return changes_secret(item.decision.effects, mask); });
  for (SessionState::Remembered& item : state.remembered) mask_texts(item.decision.effects, mask);
  for (SessionState::Shared& item : state.shared) mask_texts(item.decision.effects, mask);
  return state;
}

bool repeats_refusal(std::string_view prompt, const SessionState& state) {
  if (state.refusal.empty()) return false;
  return prompt.contains(state.refusal) || Mask().apply(prompt).contains(state.refusal);
}

}  // namespace grapnel
