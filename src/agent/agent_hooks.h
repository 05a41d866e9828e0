#pragma once

#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "grapnel/engine.h"

#include "agent/disclosure.h"
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

/// The fields of one event, beyond those of `SessionFacts`.
using Fields = std::vector<std::pair<Field, Json>>;

/// Fires the agent's events. It adds the common fields and writes the event in the agent's own dialect, or in canonical
/// form if that dialect has no such event. All parts of the agent fire their events through this class, so that hooks
/// see the same common fields everywhere.
///
/// Everything that hooks want to show to people has reached the UI when `fire` returns. The context of a decision
/// includes the documents of hooks that the model has not read yet (disclosure.h). Thread: any.
class AgentHooks {
 public:
  AgentHooks(std::shared_ptr<Engine> engine, std::string dialect)
      : engine_(std::move(engine)), dialect_(std::move(dialect)) {}

  /// A stop request cancels hooks that are still running, so check `cancel` before you use the decision.
  Decision fire(EventKind kind, const SessionFacts& facts, const Fields& fields, std::stop_token cancel = {}) const;

  Engine& engine() const { return *engine_; }
  Disclosure& disclosure() const { return *disclosure_; }
  const std::string& dialect() const { return dialect_; }

 private:
  std::shared_ptr<Engine> engine_;
  std::string dialect_;
  std::shared_ptr<Disclosure> disclosure_ = std::make_shared<Disclosure>();
};

/// The context that hooks add for the model, inside a `<hook_context>` element so that the model can tell it from the
/// user's own words; "" when there is none.
std::string hook_context(const Decision& decision);

}  // namespace grapnel::agent
