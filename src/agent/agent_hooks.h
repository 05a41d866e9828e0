#pragma once

#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "grapnel/engine.h"

#include "grapnel_agent/agent.h"

namespace grapnel::agent {

/// The fields that every event of a session carries, whatever the event is about.
struct SessionFacts {
  std::string session_id;
  std::string transcript_path;
  std::string cwd;
  ApprovalMode mode = ApprovalMode::Default;
  std::string model;
  std::string agent_id = {};    ///< "" in the main agent
  std::string agent_type = {};  ///< "" in the main agent
  uint32_t judge_depth = 0;     ///< how many judges are nested here; 0 outside judges
};

using Fields = std::vector<std::pair<Field, Json>>;

/// Fires the agent's events: common fields added, written in the agent's dialect where that has the moment, canonical
/// where not. What hooks say to people has reached the UI when `fire` returns. Thread: any.
class AgentHooks {
 public:
  AgentHooks(std::shared_ptr<Engine> engine, std::string dialect)
      : engine_(std::move(engine)), dialect_(std::move(dialect)) {}

  Decision fire(EventKind kind, const SessionFacts& facts, const Fields& fields, std::stop_token cancel = {}) const;

  Engine& engine() const { return *engine_; }
  const std::string& dialect() const { return dialect_; }

 private:
  std::shared_ptr<Engine> engine_;
  std::string dialect_;
};

/// The text around what hooks add for the model.
std::string hook_context(const Decision& decision);

}  // namespace grapnel::agent
