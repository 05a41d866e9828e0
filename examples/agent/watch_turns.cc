#include <atomic>
#include <cstdlib>
#include <future>
#include <iostream>
#include <stdexcept>

#include "grapnel_agent/agent.h"

using namespace grapnel;

namespace {

/// Shows a stop hook's line at once, and counts the lines, so that a hook can say what was shown before it ran.
class Screen final : public agent::AgentUi {
 public:
  void show(const agent::AgentEvent& event) override {
    const auto* said = std::get_if<agent::StopHookSaid>(&event);
    if (said == nullptr) return;
    (said->is_error ? std::cerr : std::cout) << said->line << std::endl;
    ++lines_;
  }
  std::string count() const { return std::to_string(lines_) + (lines_ == 1 ? " line" : " lines"); }

 private:
  std::atomic<int> lines_ = 0;
};

/// All that a stop hook learns about the turn, as one text.
std::string describe(const StopHookContext& turn) {
  std::string text = turn.session_id ? "a session with an id" : "no session";
  text += turn.cwd.empty() ? ", nowhere" : ", in a directory";
  text += ", " + std::to_string(turn.messages.size()) + " messages";
  text += turn.reached_max_iterations ? ", cut off" : ", finished";
  text += " with: " + turn.final_response;
  for (const ToolCallRecord& call : turn.tool_calls) {
    text += "\n  " + call.tool_name + " " + call.input.dump() + (call.success ? " succeeded" : " failed");
  }
  return text;
}

}  // namespace

// Runs messages through an agent whose model comes from the environment, and watches the end of each turn with five
// functions: watch_turns MAX_TURNS MESSAGE...
int main(int argc, char** argv) {
  const auto model = llm::open_model({});
  if (argc < 3 || !model) {
    std::cerr << (model ? "usage: watch_turns MAX_TURNS MESSAGE..." : model.error().to_string()) << "\n";
    return 2;
  }
  const auto screen = std::make_shared<Screen>();
  agent::AgentOptions options{.model = *model, .engine_options = {.discovery = {.use_hook_files = false}}};
  options.stop_hooks = {
      [&](const StopHookContext& turn) { return StopHookResult{describe(turn)}; },
      [&](const StopHookContext&) {
        return std::async([&] { return StopHookResult{"a future; " + screen->count() + " shown before"}; });
      },
      [](const StopHookContext&) -> StopHookResult { throw std::runtime_error("the disk is full"); },
      [](const StopHookContext&) {},
      [&](const StopHookContext&) {
        return StopHookResult{"the last one added; " + screen->count() + " shown before"};
      },
  };
  options.approval = agent::ApprovalMode::Yolo;
  options.max_turns = std::atoi(argv[1]);
  options.ui = screen;
  agent::AgentRunner runner(options);
  for (int i = 2; i < argc; ++i) {
    const auto answer = runner.run(argv[i]);
    std::cout << (answer ? *answer : answer.error().to_string()) << std::endl;
    if (!answer) return 1;
  }
  return 0;
}
