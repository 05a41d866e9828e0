#include "agent/notification.h"

namespace grapnel::agent {

std::optional<std::string> fire_notification(const Core& core, std::string_view type, std::string_view message,
                                             const std::stop_token& cancel) {
  const Decision decision =
      core.hooks.fire(EventKind::Notification, core.facts,
                      {{Field::NotificationType, Json::string(type)}, {Field::Message, Json::string(message)}}, cancel);
  tell_stop_is_ignored(*core.ui, EventKind::Notification, decision);
  if (decision.denied()) return std::nullopt;
  return decision.effects.notification.value_or(std::string(message));
}

void show_notification(const Core& core, std::string_view type, std::string_view message,
                       const std::stop_token& cancel) {
  if (const auto text = fire_notification(core, type, message, cancel)) core.ui->show(Told{{"", *text}});
}

/// Each hook that wanted it has a stop reason, if only the default one of its dialect.
void tell_stop_is_ignored(AgentUi& ui, EventKind event, const Decision& decision) {
  if (!decision.effects.stop) return;
  const std::string text = "stopping the agent ('continue: false') has no effect at " + std::string(to_string(event));
  for (const Attributed& reason : decision.effects.stop_reasons) ui.show(Told{{reason.hook, text}});
  if (decision.effects.stop_reasons.empty()) ui.show(Told{{"", text}});
}

}  // namespace grapnel::agent
