#include "agent/subagent.h"

#include <algorithm>
#include <array>

#include "agent/loop.h"
#include "agent/new_id.h"
#include "base/text.h"

namespace grapnel::agent {

namespace {

/// The tools of a subagent. The prompt alone would not limit them.
enum class Toolbox : uint8_t { Reading, Shell, All };

/// The subagents a model can choose from.
struct SubagentType {
  std::string_view name;
  std::string_view system_prompt;
  Toolbox toolbox;
};
constexpr auto kTypes = std::to_array<SubagentType>({
    {"explore", "You look around in a code base and report what you find, with file names. You change nothing.",
     Toolbox::Reading},
    {"plan", "You study a code base and answer with a plan of numbered steps. You change nothing.", Toolbox::Reading},
    {"bash", "You carry out one task with shell commands and report what they printed.", Toolbox::Shell},
    {"general", "You carry out one task from start to end and report what you did.", Toolbox::All},
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
    if (type.toolbox == Toolbox::Shell) return tool.kind == ToolKind::Shell;
    return type.toolbox == Toolbox::All || access_of(tool.kind) == ToolAccess::ReadOnly;
  });
  return out;
}

/// A hook that stops a subagent stops the main agent, too: `continue: false` ends the whole work.
ToolResult result_of(const TurnResult& turn) {
  switch (turn.ending) {
    case TurnResult::Ending::Answered:
    case TurnResult::Ending::GateOpened:
      return {ToolFailure::None, turn.answer};
    case TurnResult::Ending::Stopped:
      return {ToolFailure::Stopped, turn.reason};
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

/// SubagentStop hooks run inside the loop, however it ends; only SubagentStart is fired here.
ToolResult run_subagent(const SubagentTask& task, Core& core, const std::stop_token& cancel) {
  const SubagentType* type = find_type(task.type.empty() ? "general" : task.type);
  if (type == nullptr) {
    return {ToolFailure::InvalidInput,
            "There is no subagent type '" + task.type + "'; use Explore, Plan, Bash or general."};
  }
  Actor actor{core.facts,
              tools_for(*type, core.tools),
              std::string(type->system_prompt),
              std::string(type->name),
              task.type.empty() ? std::string(type->name) : task.type,
              "agent-" + new_id().substr(0, 8),
              task.description.empty() ? task.prompt : task.description,
              type->toolbox == Toolbox::All};
  const Decision start = core.hooks.fire(EventKind::SubagentStart, core.facts,
                                         {{Field::AgentId, Json::string(actor.agent_id)},
                                          {Field::AgentName, Json::string(actor.type)},
                                          {Field::AgentType, Json::string(actor.type)},
                                          {Field::TaskDescription, Json::string(actor.task)},
                                          {Field::Prompt, Json::string(task.prompt)}},
                                         cancel);
  if (start.effects.stop) {
    core.ui->show(Stopped{EventKind::SubagentStart, start.stop_reason()});
    return {ToolFailure::Stopped, start.stop_reason()};
  }
  if (start.denied()) return {ToolFailure::Denied, "The subagent was refused: " + start.reason()};
  // SubagentStart itself belongs to the main agent. The subagent's own events carry its id.
  actor.facts.agent_id = actor.agent_id;
  actor.facts.agent_type = actor.type;
  std::string prompt = task.prompt;
  if (const std::string context = hook_context(start); !context.empty()) prompt += "\n\n" + context;

  // A subagent starts with an empty conversation and writes no transcript. The main agent sees only its answer.
  Messages messages;
  Transcript none;
  return result_of(Loop(core, actor, messages, none).run(prompt, {}, cancel));
}

}  // namespace grapnel::agent
