#include "agent/ui_adapters.h"

#include <iostream>

namespace grapnel::agent {

void LockedUi::show(const AgentEvent& event) {
  const std::lock_guard lock(mutex_);
  ui_->show(event);
}

/// The lock is held until the person answers. Other threads wait, so nothing is printed into the middle of a question.
Approval LockedUi::ask(const Question& question, std::stop_token cancel) {
  const std::lock_guard lock(mutex_);
  return ui_->ask(question, std::move(cancel));
}

McpReply LockedUi::reply(const McpQuestion& question, std::stop_token cancel) {
  const std::lock_guard lock(mutex_);
  return ui_->reply(question, std::move(cancel));
}

CanUseTool one_at_a_time(CanUseTool can_use_tool) {
  if (!can_use_tool) return {};
  return [call = std::move(can_use_tool), turn = std::make_shared<std::mutex>()](const ToolUse& use,
                                                                                 std::stop_token cancel) {
    const std::lock_guard lock(*turn);
    return call(use, std::move(cancel));
  };
}

void ShowingObserver::hooks_started(const Event& event, const std::vector<std::string>& labels) {
  ui_->show(HooksStarted{event.kind(), labels});
}

void ShowingObserver::hook_finished(const HookRun& run) {
  ui_->show(HookFinished{run});
}

/// All other events are ignored: a runner without a UI is used like a function. A line appears at once, because the
/// next hook may take long.
void StopHookPrinter::show(const AgentEvent& event) {
  if (const auto* said = std::get_if<StopHookSaid>(&event))
    (said->is_error ? std::cerr : std::cout) << said->line << std::endl;
}

}  // namespace grapnel::agent
