#include "agent/stages/stage.h"

#include <algorithm>
#include <filesystem>

#include "base/text.h"

namespace grapnel::agent {

namespace {

/// Adds the keys that are new, missing or different, each only once. The model is told which ones changed.
void add_changed_keys(const Json& before, const Json& after, std::vector<std::string>& keys) {
  const auto add = [&](const std::string& key) {
    if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
  };
  for (const JsonMember& member : after.members()) {
    if (!before[member.key] || before[member.key] != member.value) add(member.key);
  }
  for (const JsonMember& member : before.members()) {
    if (!after[member.key]) add(member.key);
  }
}

/// The real path of a file, even if the workspace refuses it: deny rules must also see paths outside.
std::string real_path(const std::filesystem::path& spelled) {
  std::error_code failed;
  const std::filesystem::path real = std::filesystem::weakly_canonical(spelled, failed);
  return failed ? spelled : real;
}

}  // namespace

void give_up(ToolRun& run, ToolFailure failure, std::string text) {
  run.result = ToolResult{.failure = failure, .text = std::move(text)};
}

void refuse(ToolRun& run, std::string text) {
  run.is_refused = true;
  give_up(run, ToolFailure::Refused, std::move(text));
}

bool give_up_if_interrupted(ToolRun& run, const PipelineContext& context) {
  if (!context.cancel.stop_requested()) return false;
  give_up(run, ToolFailure::Interrupted, "The user interrupted this call.");
  return true;
}

bool take_context_and_stop(ToolRun& run, EventKind event, const Decision& decision, const PipelineContext& context) {
  if (std::string words = decision.context(); !words.empty()) run.contexts.push_back(std::move(words));
  if (!decision.effects.stop) return false;
  // A hook may give its reason as the stop reason or as the decision's reason.
  std::string reason = decision.stop_reason().empty() ? decision.reason() : decision.stop_reason();
  if (reason.empty()) reason = "No reason provided";
  context.ui.show(Stopped{event, reason});
  run.stop = std::move(reason);
  return true;
}

/// The input is canonical here; `AgentHooks::fire` translates the event to the session's dialect.
Fields tool_fields(const ToolRun& run) {
  Fields fields = {{Field::ToolName, Json::string(run.name)}, {Field::ToolInput, run.input}};
  if (!run.call.id.empty()) fields.emplace_back(Field::ToolUseId, Json::string(run.call.id));
  if (run.tool != nullptr && run.tool->mcp_context) fields.emplace_back(Field::McpContext, run.tool->mcp_context);
  if (!run.original_name.empty()) fields.emplace_back(Field::OriginalRequestName, Json::string(run.original_name));
  return fields;
}

NamedCall native_call(const ToolRun& run, const PipelineContext& context) {
  const Json context_of_server = run.tool == nullptr ? Json() : run.tool->mcp_context;
  return in_dialect({"canonical", run.name, run.input, context_of_server}, context.hooks.dialect());
}

/// The hook saw the call in the session's dialect, so its change is applied in that dialect and the result is
/// translated back.
void apply_rewrite(ToolRun& run, const PipelineContext& context, const Rewrite& rewrite) {
  NamedCall call = native_call(run, context);
  call.input = rewrite.apply(call.input);
  const Json input = in_dialect(call, "canonical").input;
  add_changed_keys(run.input, input, run.changed_keys);
  run.input = input;
  validate_input(run, context);
}

/// The engine's event knows which argument is the command or the path, for every tool in its tables. Rules see the path
/// both as written and with links followed, so that a link cannot avoid a deny rule.
Permissions::Call judged_call(const ToolRun& run, const PipelineContext& context) {
  Permissions::Call call{.name = run.name, .kind = run.tool->kind};
  if (run.tool->mcp_context) call.native = native_call(run, context).name;
  const Event event(EventKind::PreToolUse, Json::object({{to_string(Field::ToolName), Json::string(run.name)},
                                                         {to_string(Field::ToolInput), run.input},
                                                         {to_string(Field::McpContext), run.tool->mcp_context}}));
  if (const auto command = event.get(Field::ToolCommand).as_string()) {
    call.subject = *command;
  } else if (const auto path = event.get(Field::ToolPath).as_string()) {
    const Workspace& workspace = *context.tool_context.workspace;
    const std::filesystem::path spelled = std::filesystem::path(workspace.root()) / *path;
    call.spelled = spelled.lexically_normal();
    call.absolute = workspace.resolve(*path).value_or(real_path(spelled));
    call.subject = workspace.shown(call.absolute);
  }
  return call;
}

}  // namespace grapnel::agent
