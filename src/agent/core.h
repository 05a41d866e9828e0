#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "agent/agent_hooks.h"
#include "agent/call_ids.h"
#include "agent/mcp_servers.h"
#include "agent/permissions.h"
#include "agent/workspace.h"

/// src/agent is the reference agent behind `include/grapnel_agent/agent.h`. It is a host like any other: it reaches
/// hooks only through libgrapnel's public API, and it fires every event there is.
///
///   session.cc       a conversation from SessionStart to SessionEnd; owns the `Core`
///   loop.h           one prompt: model calls and tool calls in turn until the model is done and the Stop hooks agree
///   model_step.h     one model call, with BeforeModel, BeforeToolSelection and AfterModel around it
///   pipeline.h       one tool call, stage by stage (src/agent/stages/)
///   subagent.h       a loop inside a tool call, with its own conversation
///   judge.cc         a model that answers prompt hooks
///   mcp_servers.h    the MCP servers of a session and their tools; mcp_question.h asks what they ask
///   compaction.h     replaces a long conversation with a summary
///   permissions.h    decides which calls run without asking a person
///   transcript.h     the conversation on disk
///   tools/           the built-in tools
///
/// Tool names appear in two forms. The *canonical* name and input are what the pipeline and the permission rules work
/// with. The *native* ones are what the session's dialect calls the same tool; the model, the UI and callbacks see
/// those.
namespace grapnel::agent {

/// The state that the main agent and its subagents share. The session owns it and outlives them all.
struct Core {
  AgentOptions options;
  std::shared_ptr<Engine> engine;
  AgentHooks hooks;
  Workspace workspace;
  std::unique_ptr<Permissions> permissions;
  std::shared_ptr<AgentUi> ui;
  std::vector<Tool> tools;
  SessionFacts facts;  ///< the main agent's; a subagent copies them and adds its id
  std::vector<std::pair<std::string, std::string>> env;
  std::vector<TaskItem> tasks;
  std::unique_ptr<StopHooks> stop_hooks;
  CallIds call_ids = {};

  std::atomic<bool> has_answered = false;  ///< the model has answered at least once

  std::atomic<int64_t> steps = 0;  ///< model calls of the session, subagents included

  /// Several subagents may call the model at the same time.
  std::mutex usage_lock;
  llm::ModelUsage usage;  ///< the whole session's sum, subagents included

  /// Last, because its servers may ask questions until it is gone.
  std::unique_ptr<McpServers> servers = {};

  void count(const llm::ModelUsage& more) {
    const std::lock_guard lock(usage_lock);
    usage.input_tokens += more.input_tokens;
    usage.output_tokens += more.output_tokens;
  }
};

}  // namespace grapnel::agent
