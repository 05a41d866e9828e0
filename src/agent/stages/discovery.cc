#include <algorithm>
#include <array>

#include "agent/declarations.h"
#include "agent/stages/stage.h"
#include "base/text.h"

namespace grapnel::agent {

namespace {

const Tool* find_tool(const std::vector<Tool>& tools, std::string_view name) {
  const auto found = std::ranges::find(tools, name, &Tool::name);
  return found == tools.end() ? nullptr : &*found;
}

/// The tool of an MCP server that the session's dialect calls so. The name alone does not always tell where the name of
/// the server ends, and some dialects have only the name of the tool.
const Tool* find_server_tool(const std::vector<Tool>& tools, std::string_view name, std::string_view dialect) {
  const auto is_meant = [&](const Tool& tool) { return tool.mcp_context && native_name(tool, dialect) == name; };
  const auto found = std::ranges::find_if(tools, is_meant);
  return found == tools.end() ? nullptr : &*found;
}

/// Reads the call as one of `dialect`: translates name and arguments to canonical ones and looks the tool up.
void take(ToolRun& run, const std::vector<Tool>& tools, std::string_view dialect) {
  const NamedCall call = in_dialect({std::string(dialect), run.call.name, run.input}, "canonical");
  run.name = call.name;
  run.input = call.input;
  run.tool = find_tool(tools, call.name);
}

/// The error for the model: the most similar name, or the list of all tools.
std::string unknown_tool(const ToolRun& run, const PipelineContext& context) {
  std::vector<std::string> names;
  for (const Tool& tool : context.tools) {
    names.push_back(native_name(tool, context.hooks.dialect()));
  }
  const std::string_view near = text::nearest(run.call.name, {names.begin(), names.end()});
  if (!near.empty()) return "There is no tool '" + run.call.name + "'. Did you mean '" + std::string(near) + "'?";
  return "There is no tool '" + run.call.name + "'. Tools: " + text::join(names, ", ");
}

}  // namespace

/// Looks for the name in the session's own dialect first, then among the embedder's tools, then in every other agent's
/// dialect. Models mix the names up, and a tail call may come from a hook that was written for another agent.
void discover_tool(ToolRun& run, const PipelineContext& context) {
  run.input = run.call.input ? run.call.input : Json::object();
  run.name = run.call.name;
  const std::string& own = context.hooks.dialect();
  const std::string_view knows = dialect_of_tool(run.call.name, own);
  // `dialect_of_tool` prefers the session's dialect, so any other one means that the session's lacks the name.
  if (knows == own) take(run, context.tools, own);
  if (run.tool == nullptr) {
    run.tool = find_server_tool(context.tools, run.call.name, own);
    if (run.tool != nullptr) run.name = run.tool->name;
  }
  if (run.tool == nullptr) run.tool = find_tool(context.tools, run.name);
  if (run.tool == nullptr && !knows.empty() && knows != own) take(run, context.tools, knows);
  if (run.tool == nullptr) give_up(run, ToolFailure::Unknown, unknown_tool(run, context));
}

}  // namespace grapnel::agent
