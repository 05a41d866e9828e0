#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "grapnel_agent/agent.h"
#include "timeline.h"

using namespace grapnel;

namespace {

/// The value of an environment variable, or "".
std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool wants_colours() {
  return isatty(STDOUT_FILENO) != 0 && variable("NO_COLOR").empty() && variable("TERM") != "dumb";
}

// Two stop hooks: functions of this program that are told how the turn ended.
StopHookResult count_calls(const StopHookContext& turn) {
  const auto succeeded = std::ranges::count(turn.tool_calls, true, &ToolCallRecord::success);
  return {std::to_string(turn.tool_calls.size()) + " tool calls, " + std::to_string(succeeded) + " succeeded"};
}

StopHookResult say_goodbye(const StopHookContext& turn) {
  return {"the answer has " + std::to_string(turn.final_response.size()) + " characters; a program could mail it now"};
}

}  // namespace

// demo REPLAY PROMPT: runs an agent in the current directory, with the hooks from the files there and two functions of
// this program. The timeline prints what happens.
int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: demo REPLAY PROMPT\n";
    return 2;
  }
  const auto model = llm::open_model({.provider = "replay", .replay_file = argv[1]});
  if (!model) {
    std::cerr << model.error().to_string() << "\n";
    return 1;
  }
  const auto timeline = std::make_shared<Timeline>(wants_colours());
  timeline->begin("A session starts; somebody asks: \"" + std::string(argv[2]) + "\"");

  agent::AgentRunner runner({
      .model = watched(*model, timeline),
      .stop_hooks = {say_goodbye, count_calls},  // the last one runs first
      .approval = agent::ApprovalMode::Yolo,
      .ui = timeline,
  });
  const auto answer = runner.run(argv[2]);
  timeline->finish();
  if (!answer) std::cerr << answer.error().to_string() << "\n";
  return answer ? 0 : 1;
}
