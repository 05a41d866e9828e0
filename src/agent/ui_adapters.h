#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "grapnel_agent/agent.h"

/// Adapters between the session's threads, the engine and the UI. The session wraps the embedder's UI in `LockedUi` and
/// gives the wrapped one to everything else.
namespace grapnel::agent {

/// Lets one thread at a time into the UI, so that a UI needs no lock of its own. Tool calls that only read run in
/// parallel, and each of them shows events.
class LockedUi final : public AgentUi {
 public:
  explicit LockedUi(std::shared_ptr<AgentUi> ui) : ui_(std::move(ui)) {}
  void show(const AgentEvent& event) override;
  Approval ask(const Question& question, std::stop_token cancel) override;
  McpReply reply(const McpQuestion& question, std::stop_token cancel) override;

 private:
  std::shared_ptr<AgentUi> ui_;
  std::mutex mutex_;
};

/// The embedder's permission callback, for several threads: only one at a time calls it, so it needs no lock of its
/// own.
CanUseTool one_at_a_time(CanUseTool can_use_tool);

/// Shows the engine's hook runs in the UI: their start, and the outcome of each.
class ShowingObserver final : public HookObserver {
 public:
  explicit ShowingObserver(std::shared_ptr<AgentUi> ui) : ui_(std::move(ui)) {}
  void hooks_started(const Event& event, const std::vector<std::string>& labels) override;
  void hook_finished(const HookRun& run) override;

 private:
  std::shared_ptr<AgentUi> ui_;
};

/// The UI of an `AgentRunner` that has no other: prints the messages of stop hooks to stdout, their errors to stderr,
/// and nothing else. It approves nothing, because it inherits the default answer to questions.
class StopHookPrinter final : public AgentUi {
 public:
  void show(const AgentEvent& event) override;
};

}  // namespace grapnel::agent
