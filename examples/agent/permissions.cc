#include <iostream>

#include "grapnel_agent/agent.h"

using namespace grapnel;

// A conversation with hooks as an object and a callback that says which tools may be used.
int main(int argc, char** argv) {
  const auto model = llm::open_model({.replay_file = argc > 1 ? argv[1] : ""});
  const auto hooks = Json::parse(R"({
    "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "grep -q sudo && exit 2 || exit 0"}]}]
  })");
  if (!model || !hooks) return 1;

  const auto session = agent::create_session({
      .model = *model,
      .engine_options = {.discovery = {.use_hook_files = false}},
      .hooks = *hooks,
      .can_use_tool = [](const ToolUse& use, std::stop_token) -> PermissionAnswer {
        const std::string command = use.input["command"].as_string().value_or("");
        if (use.access == ToolAccess::ReadOnly) return {Verdict::Allow};
        if (command.contains("rm -rf")) return {Verdict::Deny, "dangerous commands are forbidden"};
        if (command.starts_with("echo ")) return {Verdict::Allow};
        return {Verdict::Ask};
      },
  });
  if (!session) {
    std::cerr << session.error().to_string() << "\n";
    return 1;
  }
  const agent::TurnResult turn = (*session)->send("Clean up.");
  std::cout << turn.answer << "\n";
  (*session)->close("exit");
}
