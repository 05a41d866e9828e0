#include "subjects.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace grapnel::bench {

namespace {

std::string_view event_name(std::string_view dialect) {
  return dialect == "gemini" ? "BeforeTool" : "PreToolUse";
}

EngineOptions bare_options() {
  EngineOptions options;
  options.discovery.use_hook_files = false;
  return options;
}

}  // namespace

Json settings_of(std::string_view dialect, const std::vector<HookLine>& hooks) {
  std::vector<Json> groups;
  for (const HookLine& hook : hooks) {
    Json entry = Json::object({{"type", Json::string("command")}, {"command", Json::string(hook.command)}});
    groups.push_back(
        Json::object({{"matcher", Json::string(hook.matcher)}, {"hooks", Json::array({std::move(entry)})}}));
  }
  return Json::object({{"hooks", Json::object({{event_name(dialect), Json::array(groups)}})}});
}

std::vector<HookLine> bystanders(size_t count) {
  std::vector<HookLine> hooks;
  for (size_t i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    hooks.push_back({"mcp__srv" + n + "__.*", "exit 0 #" + n});
  }
  return hooks;
}

std::unique_ptr<Engine> engine_of(std::string_view dialect, const std::vector<HookLine>& hooks,
                                  const std::vector<std::string>& variables) {
  EngineOptions options = bare_options();
  if (!variables.empty()) {
    std::vector<std::string>& env = options.env.emplace(variables);
    for (char** entry = environ; *entry != nullptr; ++entry) env.emplace_back(*entry);
  }
  options.configs.push_back({std::string(dialect), "", settings_of(dialect, hooks)});
  return Engine::create(std::move(options));
}

std::unique_ptr<Engine> engine_of_rules(const std::string& yaml, const std::string& project_dir) {
  const ScratchDir scratch;
  EngineOptions options = bare_options();
  options.project_dir = project_dir;
  options.configs.push_back({"grapnel", scratch.write("grapnel.yaml", yaml), {}});
  options.discovery.reload_interval = std::chrono::milliseconds(-1);  // the file does not outlive this function
  auto engine = Engine::create(std::move(options));
  for (const ConfigProblem& problem : engine->problems()) {
    std::fprintf(stderr, "%s\n", problem.to_string().c_str());
    std::abort();
  }
  return engine;
}

Event shell_call(std::string_view dialect, size_t bytes) {
  const bool is_gemini = dialect == "gemini";
  return *Event::from_native(
      dialect, Json::object({{"session_id", Json::string("8d3c0e6a-session")},
                             {"transcript_path", Json::string("")},
                             {"cwd", Json::string("/tmp")},
                             {"hook_event_name", Json::string(event_name(dialect))},
                             {"timestamp", Json::string("2026-01-02T03:04:05.678Z")},
                             {"tool_name", Json::string(is_gemini ? "run_shell_command" : "Bash")},
                             {"tool_input", Json::object({{"command", Json::string(source_text(bytes - 250))}})}}));
}

Event call_of(std::string_view tool, std::string_view key, std::string_view value) {
  return Event(EventKind::PreToolUse, Json::object({{"tool_name", Json::string(tool)},
                                                    {"cwd", Json::string("/usr")},
                                                    {"tool_input", Json::object({{key, Json::string(value)}})}}));
}

std::string source_text(size_t bytes) {
  constexpr std::string_view kLine = "  if (name == \"x\\n\") return '\\t' + name;\n";
  std::string text;
  while (text.size() < bytes) text += kLine;
  text.resize(bytes);
  return text;
}

ScratchDir::ScratchDir() {
  std::string name = (std::filesystem::temp_directory_path() / "grapnel_bench_XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) std::abort();
  path_ = std::move(name);
}

ScratchDir::~ScratchDir() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string ScratchDir::write(std::string_view name, std::string_view text) const {
  std::string path = path_ + "/" + std::string(name);
  std::ofstream(path) << text;
  return path;
}

}  // namespace grapnel::bench
