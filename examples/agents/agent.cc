/// An agent of sixty lines with hooks. agent.ts and agent.py beside it are the same, with a server as the model; here
/// the model is whatever answers on standard input: a line that starts with `$` is a call of the shell, any other the
/// answer.
///
///   printf '$ make test\nDone.\n' | example_agent "Run the tests"
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <regex>

#include "grapnel/hook_service.h"
#include "grapnel/project.h"

using namespace grapnel;

namespace {

Effects no_force_push(const Event& event, std::stop_token) {
  if (!std::regex_search(event.text(Field::ToolCommand), std::regex("push .*--force"))) return {};  // no opinion
  return {.verdict = Verdict::Deny, .reasons = {{"no-force-push", "Force pushes need a human."}}};
}

std::string run_shell(const std::string& command, int& status) {
  std::string output;
  std::FILE* pipe = ::popen(command.c_str(), "r");
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) output.push_back(static_cast<char>(c));
  status = ::pclose(pipe);
  return output;
}

std::string run_tool(HookService& hooks, const HookService::Session& session, const std::string& command) {
  HookService::ToolCall call{"Bash", "", Json::object({{"command", Json::string(command)}})};
  const auto before = hooks.on_pre_tool_use(session, call);
  if (before.decision == PreToolDecision::Deny) return "Refused: " + before.reason;
  if (before.decision == PreToolDecision::Ask) return "Refused: a person would have to decide: " + before.reason;
  if (before.modified_input) call.input = *before.modified_input;
  int status = 0;
  const std::string output = run_shell(call.input["command"].as_string().value_or(""), status);
  if (status != 0) {
    hooks.on_post_tool_use_failure(session, call, "status " + std::to_string(status));
    return "failed with status " + std::to_string(status);
  }
  const auto after = hooks.on_post_tool_use(session, call, Json::string(output));
  return after.modified_output ? after.modified_output->as_string().value_or("") : output + after.additional_context;
}

}  // namespace

int main(int argc, char** argv) {
  // Hooks of files apply from here on, those of the project once they are trusted. A function is a hook, too.
  const ProjectDirs project = find_project(std::filesystem::current_path());
  const std::shared_ptr<Engine> engine = Engine::create({.project_dir = project.root, .project_parts = project.parts});
  for (const ConfigProblem& problem : engine->problems()) std::cerr << problem.to_string() << "\n";
  const auto registered = engine->register_callback({.name = "no-force-push",
                                                     .events = {EventKind::PreToolUse},
                                                     .call = no_force_push,
                                                     .tools = "Bash",
                                                     .on_failure = OnFailure::Closed});
  if (!registered) return 1;

  HookService hooks(engine);
  const HookService::Session session{.session_id = "1", .project_dir = project.root};
  const auto prompt = hooks.on_user_prompt_submit(session, argc > 1 ? argv[1] : "");
  if (prompt.blocked) std::cout << prompt.reason << "\n";
  for (std::string reply; !prompt.blocked && std::getline(std::cin, reply);) {
    if (reply.starts_with("$ ")) {
      std::cout << run_tool(hooks, session, reply.substr(2)) << "\n";
      continue;
    }
    const auto stop = hooks.on_stop(session, "end_turn", reply);
    std::cout << (stop.blocked ? stop.reason : reply) << "\n";
    if (!stop.blocked) break;  // otherwise a hook wants the agent to go on
  }
}
