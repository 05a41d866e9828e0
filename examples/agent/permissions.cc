#include <iostream>

#include "grapnel_agent/agent.h"

using namespace grapnel;

// A conversation with one hook, which is given as an object, and a callback that decides which tools may be used. The
// model is played from a file, so no key is needed: permissions REPLAY.
int main(int argc, char** argv) {
  const auto model = llm::open_model({.replay_file = argc > 1 ? argv[1] : ""});
  // A command that exits with status 2 denies the call. This one looks for "sudo" in the event on its standard input.
  const auto hooks = Json::parse(R"({
    "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "grep -q sudo && exit 2 || exit 0"}]}]
  })");
  if (!model || !hooks) return 1;

  const auto session = agent::create_session({
      .model = *model,
      .engine_options = {.discovery = {.use_hook_files = false}},
      .hooks = *hooks,
      // Reading is always allowed and `rm -rf` never; everything that is not listed here needs a person.
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
  // One prompt is one turn: the model calls tools until it answers.
  const agent::TurnResult turn = (*session)->send("Clean up.");
  std::cout << turn.answer << "\n";
  (*session)->close("exit");
}
