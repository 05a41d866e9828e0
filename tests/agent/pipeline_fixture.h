#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "agent/pipeline.h"
#include "agent/recording_ui.h"
#include "engine/fixture.h"

/// A tool call on its way through a real engine, with small tools, and a person who answers as told.
namespace grapnel::agent {

using grapnel::testing::json;

/// A command that is a hook of some agent.
struct HookOf {
  const char* dialect;
  const char* event;  ///< as that agent calls it
  std::string command;
};

/// A command that prints this.
inline std::string says(const std::string& answer) {
  return "printf '%s' '" + answer + "'";
}

using Person = testing::RecordingUi;

/// `ran ls`: the tool was run with that.
inline Tool small_tool(std::string name, ToolKind kind, std::string key) {
  const Json schema =
      Json::object({{"type", Json::string("object")},
                    {"properties", Json::object({{key, Json::object({{"type", Json::string("string")}})}})},
                    {"required", Json::array({Json::string(key)})}});
  return {std::move(name), kind, "", schema, [key](const Json& input, const ToolContext&) {
            return ToolResult{.text = "ran " + input[key].as_string().value_or("")};
          }};
}

inline std::vector<Tool> small_tools() {
  std::vector<Tool> tools = {
      small_tool("Bash", ToolKind::Shell, "command"),    small_tool("Read", ToolKind::Read, "file_path"),
      small_tool("Write", ToolKind::Write, "file_path"), small_tool("Edit", ToolKind::Edit, "file_path"),
      small_tool("Glob", ToolKind::Glob, "pattern"),     small_tool("deploy", ToolKind::Other, "target")};
  Tool broken = small_tool("broken", ToolKind::Read, "how");
  broken.run = [](const Json& input, const ToolContext&) -> ToolResult {
    if (input["how"].equals_string("throw")) throw std::runtime_error("disk on fire");
    if (input["how"].equals_string("throw a number")) throw 7;
    if (input["how"].equals_string("time out")) return {.failure = ToolFailure::TimedOut, .text = "took too long"};
    return {.failure = ToolFailure::Failed, .text = "no luck"};
  };
  tools.push_back(std::move(broken));
  return tools;
}

class PipelineTest : public grapnel::testing::EngineTest {
 protected:
  PipelineTest() { std::filesystem::create_directories(dir_ / "project"); }

  /// What surrounds one or more calls.
  struct Scene {
    std::vector<HookOf> hooks = {};
    ApprovalMode mode = ApprovalMode::Yolo;
    PermissionRules rules = {};
    std::string dialect = "canonical";
    CanUseTool can_use_tool = {};
  };

  void set(Scene scene) {
    EngineOptions with = options();
    for (const HookOf& hook : scene.hooks) add_hook(with, hook);
    hooks_.emplace(Engine::create(std::move(with)), scene.dialect);
    facts_ = {.session_id = "s1", .transcript_path = "", .cwd = dir_ / "project", .mode = scene.mode, .model = "m"};
    auto permissions = Permissions::create(scene.mode, scene.rules);
    ASSERT_TRUE(permissions.has_value()) << permissions.error().message;
    permissions_ = std::move(*permissions);
    can_use_tool_ = std::move(scene.can_use_tool);
    workspace_.emplace(dir_ / "project");
  }

  ToolOutcome run(const std::string& tool, const std::string& input, const std::string& id = "call1") {
    const PipelineContext context{.tools = tools_,
                                  .hooks = *hooks_,
                                  .facts = facts_,
                                  .permissions = *permissions_,
                                  .can_use_tool = can_use_tool_,
                                  .ui = person_,
                                  .tool_context = {.workspace = &*workspace_},
                                  .cancel = cancel_.get_token()};
    return run_tool_call({.id = id, .name = tool, .input = json(input), .signature = ""}, context);
  }

  static std::string text_of(const ToolOutcome& outcome) { return outcome.part.content.as_string().value_or("?"); }

  /// What a hook wrote into the project.
  std::string written(const std::string& name) const {
    std::ifstream file(dir_ / ("project/" + name));
    return {std::istreambuf_iterator<char>(file), {}};
  }
  Json noted(const std::string& name) const { return json(written(name)); }

  std::vector<Tool> tools_ = small_tools();
  Person person_;
  std::optional<AgentHooks> hooks_;
  SessionFacts facts_;
  std::unique_ptr<Permissions> permissions_;
  CanUseTool can_use_tool_;
  std::optional<Workspace> workspace_;
  std::stop_source cancel_;

 private:
  void add_hook(EngineOptions& with, const HookOf& hook) {
    const std::string name = "hook" + std::to_string(++hook_count_);
    if (std::string_view(hook.dialect) == "agenthooks") {
      const std::string dir = "home/.config/agents/hooks/" + name;
      dir_.put(dir + "/HOOK.md", "---\nname: " + name + "\ndescription: d\ntrigger: " + hook.event + "\n---\n");
      dir_.put(dir + "/scripts/run.sh", "#!/bin/sh\n" + hook.command + "\n", 0755);
      return;
    }
    const Json command = Json::object({{"type", Json::string("command")}, {"command", Json::string(hook.command)}});
    const Json group = Json::object({{"hooks", Json::array({command})}});
    with.configs.push_back(
        {hook.dialect, "", Json::object({{"hooks", Json::object({{hook.event, Json::array({group})}})}})});
  }

  int hook_count_ = 0;
};

}  // namespace grapnel::agent
