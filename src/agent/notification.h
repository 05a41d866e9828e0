#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "agent/core.h"

/// Notices about the session for people and for Notification hooks. The types:
///
///   permission_prompt  a person is about to be asked (src/agent/stages/confirmation.cc, with details of the call)
///   idle_prompt        nobody has typed anything for a while (the program that has the prompt sends it)
///   auth_success       the model's provider has accepted the key, with its first answer
///   info               the conversation was summarised
///   warning            it was not, or the model was called too often
///   error              the model failed
namespace grapnel::agent {

/// Fires Notification. Returns the text to show, which hooks may have changed, or nothing if one suppressed it.
std::optional<std::string> fire_notification(const Core& core, std::string_view type, std::string_view message,
                                             const std::stop_token& cancel = {});

/// Does the same and shows the text.
void show_notification(const Core& core, std::string_view type, std::string_view message,
                       const std::stop_token& cancel = {});

/// Tells people that hooks wanted to stop the agent at an event at which there is nothing left to stop.
void tell_stop_is_ignored(AgentUi& ui, EventKind event, const Decision& decision);

}  // namespace grapnel::agent
