#include "agent/subagent.h"

#include <algorithm>
#include <array>

#include "agent/loop.h"
#include "agent/new_id.h"
#include "base/text.h"

namespace grapnel::agent {

namespace {

/// The subagents a model can choose from. `only_reads` limits the tools, the prompt alone would not.
struct SubagentType {
  std::string_view name;
  std::string_view system_prompt;
  bool only_reads;
};
constexpr auto kTypes = std::to_array<SubagentType>({
    {"explore", "You look around in a code base and report what you find, with file names. You change nothing.", true},
    {"plan", "You study a code base and answer with a plan of numbered steps. You change nothing.", true},
    {"general", "You carry out one task from start to end and report what you did.", false},
});

/// Also accepts other agents' spellings: their models say `Explore` and `general-purpose`.
const SubagentType* find_type(std::string_view name) {
  const std::string wanted = text::to_lower(name);
  const auto is_meant = [&](const SubagentType& type) {
    return wanted == type.name || wanted.starts_with(std::string(type.name) + "-");
  };
  const auto* const found = std::ranges::find_if(kTypes, is_meant);
  return found == kTypes.end() ? nullptr : found;
}

/// Leaves out the subagent tool, so that subagents do not nest, and the task list, which belongs to the main agent.
std::vector<Tool> tools_for(const SubagentType& type, const std::vector<Tool>& all) {
  std::vector<Tool> out;
  std::ranges::copy_if(all, std::back_inserter(out), [&](const Tool& tool) {
    if (tool.kind == ToolKind::Task || tool.kind == ToolKind::Todo) return false;
    return !type.only_reads || access_of(tool.kind) == ToolAccess::ReadOnly;
  });
  return out;
}

/// A turn that a hook stopped counts as success: its answer so far is still useful to the main agent.
ToolResult result_of(const TurnResult& turn) {
  switch (turn.ending) {
    case TurnResult::Ending::Answered:
    case TurnResult::Ending::Stopped:
      return {ToolFailure::None, turn.answer};
    case TurnResult::Ending::Interrupted:
      return {ToolFailure::Interrupted, "The subagent was interrupted."};
    case TurnResult::Ending::Blocked:
    case TurnResult::Ending::MaxTurns:
    case TurnResult::Ending::Failed:
    case TurnResult::Ending::Cancelled:
      break;
  }
  return {ToolFailure::Failed, "The subagent did not finish: " + turn.reason};
}

}  // namespace

/// SubagentStop hooks run inside the loop, as its gate; only SubagentStart is fired here.
ToolResult run_subagent(const SubagentTask& task, Core& core, const std::stop_token& cancel) {
  const SubagentType* type = find_type(task.type.empty() ? "general" : task.type);
  if (type == nullptr) {
    return {ToolFailure::InvalidInput, "There is no subagent type '" + task.type + "'; use explore, plan or general."};
  }
  Actor actor{core.facts,
              tools_for(*type, core.tools),
              std::string(type->system_prompt),
              std::string(type->name),
              "agent-" + new_id().substr(0, 8),
              task.description.empty() ? task.prompt : task.description};
  const Decision start = core.hooks.fire(EventKind::SubagentStart, core.facts,
                                         {{Field::AgentId, Json::string(actor.agent_id)},
                                          {Field::AgentType, Json::string(type->name)},
                                          {Field::TaskDescription, Json::string(actor.task)},
                                          {Field::Prompt, Json::string(task.prompt)}},
                                         cancel);
  if (start.denied()) return {ToolFailure::Denied, "The subagent was refused: " + start.reason()};
  // SubagentStart itself belongs to the main agent. The subagent's own events carry its id.
  actor.facts.agent_id = actor.agent_id;
  actor.facts.agent_type = type->name;
  std::string prompt = task.prompt;
  if (const std::string context = hook_context(start); !context.empty()) prompt += "\n\n" + context;

  // A subagent starts with an empty conversation and writes no transcript. The main agent sees only its answer.
  Messages messages;
  Transcript none;
  return result_of(Loop(core, actor, messages, none).run(prompt, {}, cancel));
}

}  // namespace grapnel::agent
