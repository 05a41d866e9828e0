#include <iostream>

#include "grapnel/engine.h"

using namespace grapnel;

int main() {
  // Hooks from the user's own files apply as well, and those of the project once they are trusted.
  const auto engine = Engine::create({.project_dir = "."});

  const auto no_force_push = [](const Event& event, std::stop_token) -> Effects {
    if (!event.text(Field::ToolCommand).contains("push --force")) return {};
    return {.verdict = Verdict::Deny, .reasons = {{"no-force-push", "Force pushes need a human."}}};
  };
  if (auto ok = engine->register_callback({"no-force-push", {EventKind::PreToolUse}, no_force_push}); !ok) {
    std::cerr << ok.error().to_string() << "\n";
    return 1;
  }

  const Event event(EventKind::PreToolUse,
                    Json::object({{"tool_name", Json::string("Bash")},
                                  {"tool_input", Json::object({{"command", Json::string("git push --force")}})}}));
  const Decision decision = engine->fire(event);
  std::cout << to_string(decision.verdict()) << ": " << decision.reason() << "\n";
}
