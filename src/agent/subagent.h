#pragma once

#include "agent/core.h"

namespace grapnel::agent {

/// A piece of work done by an agent of its own: SubagentStart may refuse it, its tool calls go through the same hooks
/// with its id, and SubagentStop may send it back to work. What it answers is the result.
///
///   explore   looks around: tools that only read
///   plan      the same, and ends with a plan
///   general   every tool but subagents
ToolResult run_subagent(const SubagentTask& task, Core& core, const std::stop_token& cancel);

}  // namespace grapnel::agent
