#include "homes.h"

#include <filesystem>

#include "grapnel/json.h"

#include "subjects.h"

namespace grapnel::bench {

void Home::add_rules(size_t count) {
  std::string text = "version: 1\nhooks:\n";
  for (size_t i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    text += "  - name: rule-" + n + "\n    on: PreToolUse\n    when: { tool: [write, edit], path: '**/dir" + n +
            "/*.py' }\n    deny: Not in dir" + n + ".\n";
  }
  std::filesystem::create_directories(root_.path() + "/.config/agents");
  root_.write(".config/agents/grapnel.yaml", text);
}

void Home::add_hook_directories(size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    const std::string dir = ".config/agents/hooks/hook-" + n;
    std::filesystem::create_directories(root_.path() + "/" + dir + "/scripts");
    root_.write(dir + "/HOOK.md", "---\nname: hook-" + n + "\ndescription: A guard of server " + n +
                                      "\ntrigger: pre-tool-call\nmatcher:\n  tool: ^mcp__srv" + n +
                                      "__.*$\ntimeout: 5000\n---\n\nWhat it is for, in a line or two.\n");
    const std::string script = root_.write(dir + "/scripts/run.sh", "#!/bin/sh\nexit 0\n");
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  }
}

std::vector<std::string> Home::hook_files(size_t count) const {
  std::vector<std::string> files;
  for (size_t i = 0; i < count; ++i) {
    files.push_back(root_.path() + "/.config/agents/hooks/hook-" + std::to_string(i) + "/HOOK.md");
  }
  return files;
}

std::string Home::event() const {
  const std::string project = root_.path() + "/project";
  std::filesystem::create_directories(project);
  const Json input =
      Json::object({{"command", Json::string("git status --short")}, {"description", Json::string(source_text(700))}});
  return Json::object({{"session_id", Json::string("8d3c0e6a-session")},
                       {"cwd", Json::string(project)},
                       {"hook_event_name", Json::string("PreToolUse")},
                       {"tool_name", Json::string("Bash")},
                       {"tool_input", input}})
      .dump();
}

std::vector<std::string> Home::env(std::vector<std::string> more) const {
  more.insert(more.end(), {"PATH=/usr/bin:/bin", "HOME=" + root_.path(), "XDG_RUNTIME_DIR=" + root_.path() + "/run"});
  std::filesystem::create_directories(root_.path() + "/run");
  std::filesystem::permissions(root_.path() + "/run", std::filesystem::perms::owner_all);
  return more;
}

}  // namespace grapnel::bench
