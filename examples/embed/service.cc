#include <iostream>

#include "grapnel/hook_service.h"
#include "grapnel/stop_hook.h"

using namespace grapnel;

namespace {

// A settings object. It may be in any dialect; this one is Blade's.
constexpr const char* kSettings = R"({"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [
  {"type": "command", "command": "if grep -q 'rm -rf'; then echo 'Name the files.' >&2; exit 2; fi"}]}]}})";

// Called first when a tool call needs permission. If it answers Ask, PermissionRequest hooks are asked, then a person.
PermissionAnswer can_use_tool(const ToolUse& use, std::stop_token) {
  if (use.access == ToolAccess::ReadOnly) return {Verdict::Allow};
  if (use.input["command"].as_string().value_or("").starts_with("npm ")) return {Verdict::Allow};
  return {Verdict::Ask};
}

// What a host does for each tool call of its model.
std::string run_tool(HookService& hooks, const HookService::Session& session, HookService::ToolCall call) {
  const auto before = hooks.on_pre_tool_use(session, call);
  if (before.decision == PreToolDecision::Deny) return "denied: " + before.reason;
  if (before.decision == PreToolDecision::Ask) return "a person has to decide: " + before.reason;
  if (before.modified_input) call.input = *before.modified_input;
  if (before.decision == PreToolDecision::NoOpinion) {  // silence is not consent: permission is still needed
    const auto permission = hooks.request_permission(session, call, can_use_tool);
    if (permission.verdict != Verdict::Allow) return "a person has to decide";
  }
  const Json output = Json::string("what the tool printed");
  const auto after = hooks.on_post_tool_use(session, call, output);
  return "ran" + (after.additional_context.empty() ? "" : ", and the model is told: " + after.additional_context);
}

}  // namespace

int main() {
  const std::shared_ptr<Engine> engine =
      Engine::create({.configs = {{.dialect = "blade", .path = "", .object = *Json::parse(kSettings)}},
                      .discovery = {.use_hook_files = false}});
  HookService hooks(engine);
  const HookService::Session session{.session_id = "1", .project_dir = "."};
  for (const char* command : {"npm test", "rm -rf build", "make"}) {
    const Json input = Json::object({{"command", Json::string(command)}});
    std::cout << command << ": " << run_tool(hooks, session, {"Bash", "", input}) << "\n";
  }

  // Stop hooks watch how a turn ends. The one that was added last runs first.
  StopHooks stop_hooks(engine);
  static_cast<void>(stop_hooks.add([](const StopHookContext&) { return StopHookResult{.message = "added first"}; }));
  static_cast<void>(stop_hooks.add(
      [](const StopHookContext& turn) { return StopHookResult{.message = "the answer was: " + turn.final_response}; }));
  for (const std::string& line : stop_hooks.run({.final_response = "Done."}).messages) std::cout << line << "\n";
}
