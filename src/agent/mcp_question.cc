#include "agent/mcp_question.h"

#include <array>

#include "agent/json_schema.h"
#include "agent/notification.h"
#include "base/text.h"

namespace grapnel::agent {

namespace {

constexpr size_t kMaxMessage = 4000;
constexpr size_t kMaxForm = size_t{64} << 10;  ///< bytes of a form that a person can be asked to fill in
constexpr std::string_view kDialog = "elicitation_dialog";
constexpr std::string_view kAccept = "accept";
constexpr std::string_view kDecline = "decline";
constexpr std::string_view kCancel = "cancel";

/// In the order of `McpReply::Action`. A server need not know that nobody is there.
constexpr auto kActions = std::to_array<std::string_view>({kDecline, kDecline, kCancel, kAccept});

Json reply_of(std::string_view action, const Json& content = {}) {
  return Json::object({{"action", Json::string(action)}, {"content", action == kAccept ? content : Json()}});
}

/// The question, in the terms of events.
Fields fields_of(const std::string& server, const Json& params) {
  const bool is_url = params["mode"].equals_string("url");
  return {{Field::Source, Json::string(server)},
          {Field::Message, Json::string(text::cap(params["message"].as_string().value_or(""), kMaxMessage))},
          {Field::ElicitationMode, Json::string(is_url ? "url" : "form")},
          {Field::ElicitationUrl, params["url"]},
          {Field::ElicitationId, params["elicitationId"]},
          {Field::ElicitationSchema, params["requestedSchema"]}};
}

/// What hooks answer: nothing, or the server's reply. An objection beats an answer.
Json reply_of_hooks(const Decision& decision, const Core& core, EventKind event) {
  if (decision.effects.stop || decision.denied()) {
    const std::string reason = decision.denied() ? decision.reason() : decision.stop_reason();
    core.ui->show(Blocked{event, reason});
    return reply_of(kDecline);
  }
  if (!decision.effects.elicitation) return {};
  const Json& wanted = *decision.effects.elicitation;
  const std::string action = wanted["action"].as_string().value_or("");
  if (action != kAccept && action != kDecline && action != kCancel) return {};
  return reply_of(action, wanted["content"]);
}

/// A form that is accepted has to be what the server asked for.
Json checked(const Json& reply, const Json& params) {
  const Json schema = params["requestedSchema"];
  if (!reply["action"].equals_string(kAccept) || params["mode"].equals_string("url")) return reply;
  const Json content = reply["content"] ? reply["content"] : Json::object();
  return content.is_object() && !violation(content, schema) ? reply_of(kAccept, content) : reply_of(kCancel);
}

}  // namespace

Json answer_question(Core& core, const std::string& server, const Json& params, const std::stop_token& stop) {
  if (params["requestedSchema"].raw().size() > kMaxForm) {
    core.ui->show(Told{{"", "the MCP server '" + server + "' asks more than a person can answer; it was declined"}});
    return reply_of(kDecline);
  }
  Fields fields = fields_of(server, params);
  const Decision before = core.hooks.fire(EventKind::Elicitation, core.facts, fields, stop);
  if (stop.stop_requested()) return reply_of(kCancel);
  if (const Json reply = reply_of_hooks(before, core, EventKind::Elicitation)) return checked(reply, params);

  show_notification(core, kDialog, "the MCP server '" + server + "' asks for input", stop);
  const bool is_url = params["mode"].equals_string("url");
  const McpReply said = core.ui->reply({.server = server,
                                        .message = text::cap(params["message"].as_string().value_or(""), kMaxMessage),
                                        .schema = is_url ? Json() : params["requestedSchema"],
                                        .url = params["url"].as_string().value_or("")},
                                       stop);
  const Json reply = checked(reply_of(kActions[static_cast<size_t>(said.action)], said.content), params);
  if (stop.stop_requested()) return reply_of(kCancel);
  fields.emplace_back(Field::ElicitationAction, reply["action"]);
  fields.emplace_back(Field::ElicitationContent, reply["content"]);
  const Decision after = core.hooks.fire(EventKind::ElicitationResult, core.facts, fields, stop);
  const Json changed = reply_of_hooks(after, core, EventKind::ElicitationResult);
  return changed ? checked(changed, params) : reply;
}

}  // namespace grapnel::agent
