#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "agent/agent_hooks.h"
#include "agent/permissions.h"
#include "agent/workspace.h"

namespace grapnel::agent {

/// What the main agent of a session and its subagents share. Owned by the session, which outlives them all.
struct Core {
  AgentOptions options;
  std::shared_ptr<Engine> engine;
  AgentHooks hooks;
  Workspace workspace;
  std::unique_ptr<Permissions> permissions;
  std::shared_ptr<AgentUi> ui;
  std::vector<Tool> tools;
  SessionFacts facts;  ///< of the main agent
  std::vector<std::pair<std::string, std::string>> env;
  std::vector<TaskItem> tasks;
  std::unique_ptr<StopHooks> stop_hooks;

  std::mutex usage_lock;
  llm::ModelUsage usage;  ///< of the whole session

  void count(const llm::ModelUsage& more) {
    const std::lock_guard lock(usage_lock);
    usage.input_tokens += more.input_tokens;
    usage.output_tokens += more.output_tokens;
  }
};

}  // namespace grapnel::agent
