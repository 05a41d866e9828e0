#include <iostream>

#include "grapnel_agent/agent.h"

using namespace grapnel;

// One message, one answer, and three functions that watch the end of the turn. The one that was registered last runs
// first. The model is played from a file: stop_hooks REPLAY.
int main(int argc, char** argv) {
  const auto model = llm::open_model({.replay_file = argc > 1 ? argv[1] : ""});
  if (!model) {
    std::cerr << model.error().to_string() << "\n";
    return 1;
  }
  agent::AgentRunner runner({
      .model = *model,
      .system_prompt = "You greet people.",
      // No hooks from files, so that the output is the same on every machine.
      .engine_options = {.discovery = {.use_hook_files = false}},
      .stop_hooks = {
          [](const StopHookContext&) { return StopHookResult{"Hook 1: First registered, last executed"}; },
          [](const StopHookContext&) { return StopHookResult{"Hook 2: Second registered, second executed"}; },
          [](const StopHookContext& turn) {
            return StopHookResult{"Hook 3: Last registered, first executed, after " +
                                  std::to_string(turn.tool_calls.size()) + " tool calls"};
          },
      },
  });
  const auto answer = runner.run("Say hello.");
  std::cout << (answer ? *answer : answer.error().to_string()) << "\n";
  return answer ? 0 : 1;
}
