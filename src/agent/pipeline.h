#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "agent/agent_hooks.h"
#include "agent/permissions.h"
#include "agent/workspace.h"

/// One tool call from the model's wish to the model's answer, stage by stage (src/agent/stages/, one file each):
///
///   discovery     which tool is meant, whatever the agent's dialect calls it
///   validation    does the input fit the tool's schema
///   hook          PreToolUse: deny, ask, rewrite (validated again), context, stop
///   permission    rules, mode, can_use_tool, PermissionRequest hooks; judged on the input as rewritten
///   confirmation  a person, with a Notification before; nobody there: refused
///   execution     the tool runs
///   post hook     PostToolUse or PostToolUseFailure: feedback, context, output rewrite, tail call, stop
///   formatting    what the model is told
///
/// Each stage is a function `void stage(ToolRun&, const PipelineContext&)`; a stage that decides sets `result`, and the
/// stages up to the post hook are skipped. PostToolUseFailure fires for every call that came to nothing, also for one
/// that was denied or refused (its error type says so), unless a hook stopped the agent.
namespace grapnel::agent {

/// What all calls of a turn share.
struct PipelineContext {
  const std::vector<Tool>& tools;
  const AgentHooks& hooks;
  const SessionFacts& facts;
  Permissions& permissions;
  const CanUseTool& can_use_tool;
  AgentUi& ui;
  ToolContext tool_context;  ///< with a workspace, without `cancel`
  std::stop_token cancel;
};

/// A call on its way.
struct ToolRun {
  llm::ToolCallPart call;                  ///< as the model, or for a tail call the hook, wrote it
  std::string original_name = {};          ///< in a tail call, the tool the model asked for
  std::vector<std::string> contexts = {};  ///< hooks' words for the model, before and after

  std::string name = {};  ///< canonical, also of a tool that is not there
  const Tool* tool = nullptr;
  Json input = {};                             ///< canonical; as hooks rewrote it
  std::vector<std::string> changed_keys = {};  ///< of the input, by hooks; canonical
  bool hook_allows = false;                    ///< an Allow of a PreToolUse hook: skips the question, not the rules
  std::optional<std::string> ask_reason =
      {};                        ///< a hook, a rule or the mode wants a person asked; "" when none said why
  std::string ask_message = {};  ///< what the hook wants shown with the question
  bool needs_confirmation = false;
  std::optional<std::chrono::milliseconds> took = {};  ///< nothing: it never ran
  std::string feedback = {};                           ///< a PostToolUse block
  std::optional<ToolResult> result = {};
  std::optional<llm::ToolCallPart> tail_call = {};  ///< to be made instead, with this one's id
  std::optional<std::string> stop = {};             ///< a hook stops the agent: why
};

/// How a call ended for the loop.
struct ToolOutcome {
  llm::ToolResultPart part;  ///< for the model, under the name and id it used
  std::string tool_name;     ///< canonical
  Json input;                ///< as it ran
  ToolResult result;
  std::optional<std::string> stop;
};

inline constexpr int kMaxTailCalls = 8;

/// Runs the call and its tail calls (at most `kMaxTailCalls`). Tells the UI what starts and ends, and what hooks
/// blocked.
ToolOutcome run_tool_call(const llm::ToolCallPart& call, const PipelineContext& context);

void discover_tool(ToolRun& run, const PipelineContext& context);
void validate_input(ToolRun& run, const PipelineContext& context);
void run_pre_hooks(ToolRun& run, const PipelineContext& context);
void check_permission(ToolRun& run, const PipelineContext& context);
void confirm(ToolRun& run, const PipelineContext& context);
void execute(ToolRun& run, const PipelineContext& context);
void run_post_hooks(ToolRun& run, const PipelineContext& context);
llm::ToolResultPart format_result(const ToolRun& run);

}  // namespace grapnel::agent
