#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "agent/agent_hooks.h"
#include "agent/permissions.h"
#include "agent/workspace.h"

/// One tool call, from the model's request to the result that the model reads. Each stage has its own file in
/// src/agent/stages/:
///
///   discovery     finds the tool that is meant, whichever agent's name for it the model used
///   validation    checks the input against the tool's schema
///   pre hook      PreToolUse: may deny, ask, rewrite (the input is validated again), add context, stop
///   permission    `can_use_tool`, rules, mode and PermissionRequest hooks; all see the rewritten input
///   confirmation  asks a person, after a Notification event; refuses when nobody is there
///   execution     runs the tool
///   post hook     PostToolUse or PostToolUseFailure: feedback, context, new output, tail call, stop
///   formatting    builds the text that the model reads
///
/// Each stage is a function `void stage(ToolRun&, const PipelineContext&)`. A stage that decides the outcome sets
/// `result`; the pipeline then skips straight to the post hook. PostToolUseFailure fires for every call that did not
/// succeed, including denied and refused ones, unless a hook stopped the agent. The error type tells them apart, and
/// hooks of a dialect that has no such event after a call that never ran do not run.
///
/// A *tail call* is a second tool call that a post hook requests; its result replaces the first one's.
namespace grapnel::agent {

/// The objects that all calls of a turn share.
struct PipelineContext {
  const std::vector<Tool>& tools;
  const AgentHooks& hooks;
  const SessionFacts& facts;
  Permissions& permissions;
  const CanUseTool& can_use_tool;
  AgentUi& ui;
  ToolContext tool_context;  ///< `workspace` is set; execution sets `cancel`
  std::stop_token cancel;

  CallHabits habits() const { return call_habits(hooks.dialect()); }
};

/// A tool call on its way through the stages.
struct ToolRun {
  llm::ToolCallPart call;                  ///< as the model wrote it; in a tail call, as the hook did
  std::string original_name = {};          ///< in a tail call, the tool the model asked for
  std::vector<std::string> contexts = {};  ///< text for the model, from pre and post hooks

  std::string name = {};  ///< canonical name; set even if there is no such tool
  const Tool* tool = nullptr;
  Json input = {};                             ///< canonical; includes hooks' rewrites
  std::vector<std::string> changed_keys = {};  ///< canonical keys of the input that hooks changed
  bool hook_allows = false;                    ///< a PreToolUse hook allowed it: skips the mode's question, not rules
  std::optional<std::string> ask_reason = {};  ///< a person must be asked; "" when nobody gave a reason
  std::string ask_message = {};                ///< the hook's message, shown with the question
  bool needs_confirmation = false;
  bool is_refused = false;                             ///< a person refused it, or another call of the same response
  std::optional<std::chrono::milliseconds> took = {};  ///< nothing when the tool never ran
  std::string feedback = {};                           ///< the reason of a PostToolUse hook that blocked
  std::optional<ToolResult> result = {};
  std::optional<llm::ToolCallPart> tail_call = {};  ///< the next call to run, under the same id
  std::optional<std::string> stop = {};             ///< set when a hook stops the agent: its reason
};

/// The part of a finished call that the loop needs.
struct ToolOutcome {
  llm::ToolResultPart part;  ///< goes to the model, under the name and id that it used
  std::string tool_name;     ///< canonical
  Json input;                ///< as the tool received it
  ToolResult result;
  std::optional<std::string> stop;
  bool is_refused = false;  ///< a person did not want it to run
};

inline constexpr int kMaxTailCalls = 8;

/// Runs the call and its tail calls (at most `kMaxTailCalls`). Shows the UI when the tool starts and ends, and which
/// hooks blocked it.
ToolOutcome run_tool_call(const llm::ToolCallPart& call, const PipelineContext& context);
/// Ends a call that has not begun, because a person refused another call of the same response. No hook sees it.
ToolOutcome cancel_tool_call(const llm::ToolCallPart& call, const PipelineContext& context);

/// The stages, in order.
void discover_tool(ToolRun& run, const PipelineContext& context);
void validate_input(ToolRun& run, const PipelineContext& context);
void run_pre_hooks(ToolRun& run, const PipelineContext& context);
void check_permission(ToolRun& run, const PipelineContext& context);
void confirm(ToolRun& run, const PipelineContext& context);
void execute(ToolRun& run, const PipelineContext& context);
void run_post_hooks(ToolRun& run, const PipelineContext& context);
llm::ToolResultPart format_result(const ToolRun& run, const PipelineContext& context);

}  // namespace grapnel::agent
