#include "agent/stages/stage.h"

#include <filesystem>

#include "base/text.h"

namespace grapnel::agent {

namespace {

/// Keys that are new, gone or have another value.
std::vector<std::string> changed_keys(const Json& before, const Json& after) {
  std::vector<std::string> out;
  for (const JsonMember& member : after.members()) {
    if (!before[member.key] || before[member.key] != member.value) out.push_back(member.key);
  }
  for (const JsonMember& member : before.members()) {
    if (!after[member.key]) out.push_back(member.key);
  }
  return out;
}

/// The file as it really is; one that is outside the workspace as far as its spelling tells.
std::string absolute_path(const std::string& path, const Workspace* workspace) {
  if (workspace == nullptr) return std::filesystem::path(path).lexically_normal();
  if (auto resolved = workspace->resolve(path)) return *resolved;
  return (std::filesystem::path(workspace->root()) / path).lexically_normal();
}

}  // namespace

void give_up(ToolRun& run, ToolFailure failure, std::string text) {
  run.result = ToolResult{.failure = failure, .text = std::move(text)};
}

bool give_up_if_interrupted(ToolRun& run, const PipelineContext& context) {
  if (!context.cancel.stop_requested()) return false;
  give_up(run, ToolFailure::Interrupted, "The user interrupted this call.");
  return true;
}

bool take_context_and_stop(ToolRun& run, const Decision& decision) {
  if (std::string words = decision.context(); !words.empty()) run.contexts.push_back(std::move(words));
  if (!decision.effects.stop) return false;
  std::string reason = decision.stop_reason().empty() ? decision.reason() : decision.stop_reason();
  if (reason.empty()) reason = "No reason provided";
  run.stop = "Agent execution stopped by hook: " + reason;
  return true;
}

Fields tool_fields(const ToolRun& run) {
  Fields fields = {{Field::ToolName, Json::string(run.name)}, {Field::ToolInput, run.input}};
  if (!run.call.id.empty()) fields.emplace_back(Field::ToolUseId, Json::string(run.call.id));
  if (!run.original_name.empty()) fields.emplace_back(Field::OriginalRequestName, Json::string(run.original_name));
  return fields;
}

NamedCall native_call(const ToolRun& run, const PipelineContext& context) {
  return in_dialect({"canonical", run.name, run.input}, context.hooks.dialect());
}

void apply_rewrite(ToolRun& run, const PipelineContext& context, const Rewrite& rewrite) {
  NamedCall call = native_call(run, context);
  call.input = rewrite.apply(call.input);
  const Json input = in_dialect(call, "canonical").input;
  run.changed_keys = changed_keys(run.input, input);
  run.input = input;
  validate_input(run, context);
}

Permissions::Call judged_call(const ToolRun& run, const PipelineContext& context) {
  Permissions::Call call{.name = run.name, .kind = run.tool->kind};
  const Event event(EventKind::PreToolUse, Json::object({{to_string(Field::ToolName), Json::string(run.name)},
                                                         {to_string(Field::ToolInput), run.input}}));
  if (const auto command = event.get(Field::ToolCommand).as_string()) {
    call.subject = *command;
  } else if (const auto path = event.get(Field::ToolPath).as_string()) {
    const Workspace* workspace = context.tool_context.workspace;
    call.absolute = absolute_path(*path, workspace);
    call.subject = workspace == nullptr ? call.absolute : workspace->shown(call.absolute);
  }
  return call;
}

}  // namespace grapnel::agent
