#pragma once

#include "agent/core.h"

namespace grapnel::agent {

/// Runs a task in an agent with its own conversation, and returns that agent's answer as the result of the tool call.
/// SubagentStart hooks may refuse the task. The subagent's tool calls go through the same hooks and carry its id.
/// SubagentStop hooks may send it back to work.
///
///   explore   only tools that read; reports what it finds
///   plan      only tools that read; ends with a plan
///   general   every tool except subagents and the task list
ToolResult run_subagent(const SubagentTask& task, Core& core, const std::stop_token& cancel);

}  // namespace grapnel::agent
