#include <iostream>

#include "grapnel/event.h"
#include "grapnel/tool.h"

using namespace grapnel;

int main() {
  // An event as Gemini CLI writes it before it searches files.
  const Json payload = *Json::parse(R"({"hook_event_name": "BeforeTool", "tool_name": "grep_search",
                                        "tool_input": {"pattern": "TODO", "dir_path": "src"}})");
  const Result<Event> event = Event::from_native("gemini", payload);
  if (!event) {
    std::cerr << event.error().to_string() << "\n";
    return 1;
  }
  // The same event in canonical names, and as another agent would have written it.
  std::cout << to_string(event->kind()) << " " << event->get(Field::ToolInput).dump() << "\n";
  std::cout << event->in_dialect("kimi")->payload().dump() << "\n";

  // A tool call can be translated without an event.
  const NamedCall call = in_dialect({"gemini", "run_shell_command", *Json::parse(R"({"command": "ls"})")}, "claude");
  std::cout << call.name << " " << call.input.dump() << " can " << to_string(access_of(tool_kind(call.name, "claude")))
            << "\n";
}
