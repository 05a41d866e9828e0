#include "dialect/answer.h"
#include "engine/fixture.h"
#include "trust/trust_store.h"

// A project with the files of several agents, seen by one of them.

namespace grapnel::testing {
namespace {

std::string content(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Project : public EngineTest {
 protected:
  /// An engine over the project's files, which the user has looked at and trusts.
  std::unique_ptr<Engine> trusting_engine() {
    EngineOptions with = options();
    with.trust_store = dir_ / "trust.json";
    auto engine = Engine::create(with);
    std::set<std::string> digests;
    for (const HookInfo& hook : engine->hooks()) digests.insert(hook.digest);
    EXPECT_TRUE(TrustStore(with.trust_store).set_trusted(with.project_dir, digests).has_value());
    engine->reload();
    return engine;
  }
};

TEST_F(Project, HooksOfThreeAgentsAndACallbackAreOneChain) {
  dir_.put("project/.gemini/settings.json", R"({"hooks":{"BeforeTool":[{"matcher":"glob","hooks":[
      {"type":"command","name":"gemini","command":"cat > gemini.json; echo '{\"decision\":\"allow\"}'"}]}]}})");
  dir_.put("project/.blade/settings.json", R"({"hooks":{"PreToolUse":[{"matcher":"Glob","hooks":[
      {"type":"command","command":"cat > blade.json; echo '{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"ask\",\"permissionDecisionReason\":\"blade asks\",\"updatedInput\":{\"path\":\"src\"}}}'"}]}]}})");
  dir_.put("project/.claude/settings.json", R"({"hooks":{"PreToolUse":[{"matcher":"Glob|Grep","hooks":[
      {"type":"command","command":"cat > claude.json; echo '{\"hookSpecificOutput\":{\"permissionDecision\":\"allow\",\"additionalContext\":\"claude was here\"}}'"}]}]}})");
  auto engine = trusting_engine();
  std::string seen;
  ASSERT_TRUE(engine->register_callback(
      {.name = "host", .events = {EventKind::PreToolUse}, .call = [&](const Event& event, std::stop_token) {
         seen = event.text(Field::ToolName) + " " + event.get(Field::ToolInput).dump();
         return Effects{};
       }}));

  const Event event = *Event::from_native("gemini", json(R"({"hook_event_name":"BeforeTool","session_id":"s",
      "tool_name":"glob","tool_input":{"pattern":"*.cc","dir_path":"."}})"));
  const Decision decision = engine->fire(event);

  std::vector<std::string> names;
  for (const HookFate& fate : decision.hooks) names.push_back(fate.name.substr(0, fate.name.find(';')));
  EXPECT_EQ(names, (std::vector<std::string>{"gemini", "cat > blade.json", "cat > claude.json", "host"}));
  EXPECT_EQ(decision.verdict(), Verdict::Ask);
  EXPECT_EQ(decision.reason(), "blade asks");
  EXPECT_EQ(decision.context(), "claude was here");

  EXPECT_EQ(json(content(dir_ / "project/gemini.json"))["tool_name"], Json::string("glob"));
  const Json blade = json(content(dir_ / "project/blade.json"));
  EXPECT_EQ(blade["tool_name"], Json::string("Glob"));
  EXPECT_EQ(blade["tool_input"], json(R"({"pattern":"*.cc","path":"."})"));
  const Json claude = json(content(dir_ / "project/claude.json"));
  EXPECT_EQ(claude["hook_event_name"], Json::string("PreToolUse"));
  EXPECT_EQ(claude["tool_input"], json(R"({"pattern":"*.cc","path":"src"})")) << "it sees what Blade's hook changed";
  EXPECT_EQ(seen, R"(glob {"pattern":"*.cc","path":"src"})");

  ASSERT_TRUE(decision.effects.input);
  EXPECT_EQ(decision.effects.input->value, json(R"({"dir_path":"src"})")) << "told to the host in its own words";
  const Json answer = json(write_answer(decision, event, event.dialect()).out);
  EXPECT_EQ(answer["decision"], Json::string("ask"));
}

TEST_F(Project, WhatIsNotTrustedIsListedAndDoesNotRun) {
  dir_.put("project/.claude/settings.json",
           R"({"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"touch ran"}]}]}})");
  dir_.put("project/.codex/hooks.json",
           R"({"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"touch ran"}]}]}})");
  dir_.put("project/.qwen/settings.json",
           R"({"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"touch ran"}]}]}})");
  const Decision decision = Engine::create(options())->fire(pre_tool("Bash", "{}"));
  ASSERT_EQ(decision.hooks.size(), 3u);
  for (const HookFate& fate : decision.hooks) EXPECT_EQ(fate.detail, "untrusted");
  EXPECT_FALSE(std::filesystem::exists(dir_ / "project/ran"));
}

TEST_F(Project, ALargeInputReachesEveryHookThroughItsStandardInputAlone) {
  constexpr size_t kSize = size_t{20} << 20;
  const std::string guard = "wc -c > NAME.size; cat /proc/$$/cmdline /proc/$$/environ | wc -c > NAME.rest; exit 0";
  EngineOptions with = options();
  const struct {
    const char* dialect;
    const char* event;
  } agents[] = {{"gemini", "BeforeTool"}, {"blade", "PreToolUse"}, {"claude", "PreToolUse"}};
  for (const auto& agent : agents) {
    std::string command = guard;
    for (size_t at = command.find("NAME"); at != std::string::npos; at = command.find("NAME")) {
      command.replace(at, 4, agent.dialect);
    }
    const Json hook = Json::object({{"type", Json::string("command")}, {"command", Json::string(command)}});
    with.configs.push_back(
        {agent.dialect, "",
         Json::object({{"hooks", Json::object({{agent.event,
                                                Json::array({Json::object({{"hooks", Json::array({hook})}})})}})}})});
  }
  const Event event = *Event::from_native(
      "claude", Json::object({{"hook_event_name", Json::string("PreToolUse")},
                              {"session_id", Json::string("s")},
                              {"cwd", Json::string(with.project_dir)},
                              {"tool_name", Json::string("Write")},
                              {"tool_input", Json::object({{"file_path", Json::string("/x")},
                                                           {"content", Json::string(std::string(kSize, 'x'))}})}}));
  const Decision decision = Engine::create(with)->fire(event);
  ASSERT_EQ(decision.hooks.size(), 3u);
  for (const HookFate& fate : decision.hooks) EXPECT_EQ(fate.kind, HookFate::Kind::Ran) << fate.name << fate.detail;
  for (const auto& agent : agents) {
    SCOPED_TRACE(agent.dialect);
    const std::string base = dir_ / "project/" + agent.dialect;
    EXPECT_GT(std::stoul("0" + std::string(content(base + ".size"))), kSize);
    EXPECT_LT(std::stoul("0" + std::string(content(base + ".rest"))), 10000u);
  }
}

}  // namespace
}  // namespace grapnel::testing
