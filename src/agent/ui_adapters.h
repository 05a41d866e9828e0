#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "grapnel_agent/agent.h"

/// Between the session's threads, the engine and whoever watches.
namespace grapnel::agent {

/// One call at a time, whichever thread it comes from.
class LockedUi final : public AgentUi {
 public:
  explicit LockedUi(std::shared_ptr<AgentUi> ui) : ui_(std::move(ui)) {}
  void show(const AgentEvent& event) override;
  Approval ask(const Question& question, std::stop_token cancel) override;

 private:
  std::shared_ptr<AgentUi> ui_;
  std::mutex mutex_;
};

/// Hooks' runs as the session's events.
class ShowingObserver final : public HookObserver {
 public:
  explicit ShowingObserver(std::shared_ptr<AgentUi> ui) : ui_(std::move(ui)) {}
  void hooks_started(const Event& event, const std::vector<std::string>& labels) override;
  void hook_finished(const HookRun& run) override;

 private:
  std::shared_ptr<AgentUi> ui_;
};

/// What stop hooks say on stdout, what they fail with on stderr; nothing else.
class StopHookPrinter final : public AgentUi {
 public:
  void show(const AgentEvent& event) override;
};

}  // namespace grapnel::agent
