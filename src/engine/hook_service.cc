#include "grapnel/hook_service.h"

#include <array>
#include <exception>

#include "dialect/dialect.h"

namespace grapnel {

namespace {

// HookService is a typed face of the engine: one method per event. Each method builds the event in the canonical
// dialect, fires it, and picks the parts of the decision that a host can act on at that point.

using Fields = std::vector<std::pair<std::string, Json>>;

/// One member of a canonical payload.
std::pair<std::string, Json> field(Field name, Json value) {
  return {std::string(to_string(name)), std::move(value)};
}
std::pair<std::string, Json> field(Field name, std::string_view text) {
  return field(name, Json::string(text));
}

/// The fields that all events about a tool call share.
Fields tool_fields(const HookService::ToolCall& call) {
  Fields fields = {field(Field::ToolName, call.name),
                   field(Field::ToolInput, call.input ? call.input : Json::object())};
  if (!call.use_id.empty()) fields.push_back(field(Field::ToolUseId, call.use_id));
  return fields;
}

/// The public API has its own words for the verdicts of this event: Pass means that no hook has an opinion.
PreToolDecision pre_tool_decision(Verdict verdict) {
  switch (verdict) {
    case Verdict::Pass:
      return PreToolDecision::NoOpinion;
    case Verdict::Allow:
      return PreToolDecision::Allow;
    case Verdict::Ask:
      return PreToolDecision::Ask;
    case Verdict::Deny:
      return PreToolDecision::Deny;
  }
  return PreToolDecision::Ask;  // not reachable; if it ever is, asking a person is the safe answer
}

/// For events that can only be blocked or not.
HookService::GateResult gate_result(const Decision& decision) {
  const bool blocked = decision.denied();
  return {blocked, blocked ? decision.reason() : "", decision.context()};
}

/// After a call nothing can be prevented any more. A Deny becomes feedback for the model.
HookService::PostToolResult post_result(const Decision& decision) {
  return {decision.context(), decision.effects.output, decision.denied() ? decision.reason() : ""};
}

}  // namespace

std::string_view to_string(PreToolDecision decision) {
  constexpr auto kWords = std::to_array<std::string_view>({"no opinion", "allow", "ask", "deny"});
  return kWords[static_cast<size_t>(decision)];
}

PermissionAnswer ask_callback(const CanUseTool& can_use_tool, const ToolUse& use, const std::stop_token& cancel) {
  if (!can_use_tool) return {Verdict::Pass};
  try {
    return can_use_tool(use, cancel);
  } catch (const std::exception& e) {
    return {Verdict::Ask, std::string("the permission callback threw: ") + e.what()};
  } catch (...) {
    return {Verdict::Ask, "the permission callback threw something that is not a std::exception"};
  }
}

// First the host's callback, then the hooks, then a person: each is asked only if the one before has no clear answer.
PermissionAnswer request_permission(const CanUseTool& can_use_tool, const ToolUse& use,
                                    const std::function<Decision()>& fire_hooks, std::stop_token cancel) {
  const PermissionAnswer own = ask_callback(can_use_tool, use, cancel);
  if (own.verdict == Verdict::Allow || own.verdict == Verdict::Deny) return own;
  const Decision decision = fire_hooks();
  // If the callback threw, the person who is asked reads why.
  if (decision.verdict() == Verdict::Pass) return {Verdict::Ask, own.message};
  return {decision.verdict(), decision.reason()};
}

// Without hooks the event passes. Every event carries the fields of the session.
Decision HookService::fire(EventKind kind, const Session& session, Fields fields, std::stop_token cancel) {
  if (!is_hooks_available()) return {};
  fields.push_back(field(Field::SessionId, session.session_id));
  fields.push_back(field(Field::PermissionMode, session.permission_mode));
  if (!session.project_dir.empty()) {
    fields.push_back(field(Field::ProjectDir, session.project_dir));
    fields.push_back(field(Field::Cwd, session.project_dir));
  }
  return engine_->fire(Event(kind, Json::object(fields)), std::move(cancel));
}

HookService::SessionResult HookService::on_session_start(const Session& session, std::string_view source) {
  const Decision decision = fire(EventKind::SessionStart, session, {field(Field::Source, source)});
  return {decision.denied(), decision.denied() ? decision.reason() : "", decision.context(), decision.effects.env};
}

void HookService::on_session_end(const Session& session, std::string_view reason) {
  fire(EventKind::SessionEnd, session, {field(Field::EndReason, reason)});
}

HookService::PromptResult HookService::on_user_prompt_submit(const Session& session, std::string_view prompt) {
  const Decision decision = fire(EventKind::UserPromptSubmit, session, {field(Field::Prompt, prompt)});
  return {decision.denied(), decision.denied() ? decision.reason() : "", decision.effects.prompt, decision.context()};
}

HookService::GateResult HookService::on_stop(const Session& session, std::string_view stop_reason,
                                             std::string_view final_response) {
  return gate_result(fire(EventKind::Stop, session,
                          {field(Field::StopReason, stop_reason), field(Field::FinalResponse, final_response)}));
}

void HookService::on_turn_end(const Session& session, std::string_view final_response) {
  fire(EventKind::TurnEnd, session, {field(Field::FinalResponse, final_response)});
}

HookService::GateResult HookService::on_compaction(const Session& session, int64_t tokens_before, int64_t message_count,
                                                   std::string_view trigger) {
  return gate_result(fire(EventKind::PreCompact, session,
                          {field(Field::TokensBefore, Json::number(tokens_before)),
                           field(Field::MessagesBefore, Json::number(message_count)), field(Field::Trigger, trigger)}));
}

void HookService::on_post_compact(const Session& session, std::string_view summary, std::string_view trigger) {
  fire(EventKind::PostCompact, session, {field(Field::Summary, summary), field(Field::Trigger, trigger)});
}

// Hosts get the whole rewritten input, although a hook may have answered with only the members it changed.
HookService::PreToolResult HookService::on_pre_tool_use(const Session& session, const ToolCall& call) {
  const Decision decision = fire(EventKind::PreToolUse, session, tool_fields(call));
  PreToolResult result;
  result.decision = pre_tool_decision(decision.verdict());
  result.reason = decision.reason();
  result.context = decision.context();
  if (decision.effects.input) result.modified_input = decision.effects.input->apply(call.input);
  return result;
}

HookService::PostToolResult HookService::on_post_tool_use(const Session& session, const ToolCall& call,
                                                          const Json& output) {
  Fields fields = tool_fields(call);
  fields.push_back(field(Field::ToolOutput, output));
  return post_result(fire(EventKind::PostToolUse, session, std::move(fields)));
}

HookService::PostToolResult HookService::on_post_tool_use_failure(const Session& session, const ToolCall& call,
                                                                  std::string_view error) {
  Fields fields = tool_fields(call);
  fields.push_back(field(Field::Error, error));
  return post_result(fire(EventKind::PostToolUseFailure, session, std::move(fields)));
}

// When no hook has an opinion, a permission request is a question to a person.
Verdict HookService::on_permission_request(const Session& session, const ToolCall& call) {
  const Decision decision = fire(EventKind::PermissionRequest, session, tool_fields(call));
  return decision.verdict() == Verdict::Pass ? Verdict::Ask : decision.verdict();
}

PermissionAnswer HookService::request_permission(const Session& session, const ToolCall& call,
                                                 const CanUseTool& can_use_tool, std::stop_token cancel) {
  // The host may use the tool names of any agent. The callback is also given what kind of access the tool needs.
  const std::string_view dialect = dialect_of_tool(call.name, kCanonicalDialect.name);
  const ToolUse use{call.name, call.input, call.use_id, access_of(tool_kind(call.name, dialect))};
  const auto fire_hooks = [&] { return fire(EventKind::PermissionRequest, session, tool_fields(call), cancel); };
  return grapnel::request_permission(can_use_tool, use, fire_hooks, cancel);
}

HookService::GateResult HookService::on_subagent_start(const Session& session, std::string_view type,
                                                       std::string_view task) {
  return gate_result(
      fire(EventKind::SubagentStart, session, {field(Field::AgentType, type), field(Field::TaskDescription, task)}));
}

HookService::GateResult HookService::on_subagent_stop(const Session& session, std::string_view id,
                                                      std::string_view type, std::string_view summary, bool success) {
  return gate_result(fire(EventKind::SubagentStop, session,
                          {field(Field::AgentId, id), field(Field::AgentType, type),
                           field(Field::Success, Json::boolean(success)), field(Field::ResultSummary, summary)}));
}

HookService::GateResult HookService::on_task_completed(const Session& session, std::string_view task_id,
                                                       std::string_view description, bool success) {
  return gate_result(fire(EventKind::TaskCompleted, session,
                          {field(Field::TaskId, task_id), field(Field::TaskDescription, description),
                           field(Field::Success, Json::boolean(success))}));
}

// A hook may suppress the notification (deny it) or replace its text.
HookService::NotificationResult HookService::on_notification(const Session& session, std::string_view type,
                                                             std::string_view message) {
  const Decision decision =
      fire(EventKind::Notification, session, {field(Field::NotificationType, type), field(Field::Message, message)});
  return {decision.denied(), decision.effects.notification.value_or(std::string(message))};
}

Decision HookService::on_before_model(const Session& session, const Json& request) {
  return fire(EventKind::BeforeModel, session, {field(Field::ModelRequest, request)});
}

Decision HookService::on_before_tool_selection(const Session& session, const Json& request) {
  return fire(EventKind::BeforeToolSelection, session, {field(Field::ModelRequest, request)});
}

Decision HookService::on_after_model(const Session& session, const Json& request, const Json& response) {
  return fire(EventKind::AfterModel, session,
              {field(Field::ModelRequest, request), field(Field::ModelResponse, response)});
}

}  // namespace grapnel
