#include "engine/fixture.h"

// Hooks of two dialects and a callback at one event: one plan, one order, one decision.

namespace grapnel::testing {
namespace {

using Mixed = EngineTest;

std::string content_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_F(Mixed, EachHookReceivesItsOwnDialect) {
  EngineOptions with = options();
  with.configs.push_back(
      {"gemini", "",
       json(
           R"({"hooks":{"BeforeTool":[{"matcher":"run_shell","hooks":[{"type":"command","command":"cat > gemini.json"}]}]}})")});
  with.configs.push_back(
      {"clawd", "",
       json(
           R"({"hooks":{"PreToolUse":[{"matcher":{"tools":"Bash","commands":"ls.*"},"hooks":[{"type":"command","command":"cat > clawd.json"}]}]}})")});
  auto engine = Engine::create(with);
  const std::string native = R"({"hook_event_name":"BeforeTool","session_id":"s","cwd":")" + (dir_ / "project") +
                             R"(","tool_name":"run_shell_command","tool_input":{"command":"ls -l"}, "novel": 1})";
  const Event event = *Event::from_native("gemini", json(native));
  EXPECT_EQ(engine->fire(event).hooks.size(), 2u);

  EXPECT_EQ(content_of(dir_ / "project/gemini.json"), native) << "the host's own dialect gets the host's bytes";
  const Json clawd = json(content_of(dir_ / "project/clawd.json"));
  EXPECT_EQ(clawd["hook_event_name"], Json::string("PreToolUse"));
  EXPECT_EQ(clawd["tool_name"], Json::string("Bash"));
  EXPECT_EQ(clawd["tool_input"], json(R"({"command":"ls -l"})"));
  EXPECT_EQ(clawd["project_dir"], Json::string(dir_ / "project"));
  EXPECT_EQ(clawd["extra"]["gemini"]["novel"], json("1"));
}

TEST_F(Mixed, AGuardOfEditsHoldsForPatches) {
  struct Case {
    const char* dialect;
    const char* event;
    const char* matcher;
    Verdict want;
  };
  const Case cases[] = {
      {"claude", "PreToolUse", "Write|Edit", Verdict::Deny}, {"claude", "PreToolUse", "Edit", Verdict::Deny},
      {"claude", "PreToolUse", "Bash", Verdict::Pass},       {"gemini", "BeforeTool", "write_file", Verdict::Deny},
      {"gemini", "BeforeTool", "glob", Verdict::Pass},
  };
  const Event patch = *Event::from_native("codex", json(R"({"hook_event_name":"PreToolUse","session_id":"s",
      "tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\n*** Add File: a\n+x\n*** End Patch\n"}})"));
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.dialect) + " " + c.matcher);
    auto engine = engine_with(c.dialect, R"({"hooks":{")" + std::string(c.event) + R"(":[{"matcher":")" + c.matcher +
                                             R"(","hooks":[{"type":"command","command":"exit 2"}]}]}})");
    EXPECT_EQ(engine->fire(patch).verdict(), c.want);
  }
}

TEST_F(Mixed, ARewriteIsSeenByLaterHooksInTheirOwnWordsAndToldToTheHostInHis) {
  EngineOptions with = options();
  with.configs.push_back({"clawd", "", json(R"({"hooks":{"PreToolUse":[{"hooks":[
      {"type":"command","command":"echo '{\"updatedInput\":{\"path\":\"src\"}}'"},
      {"type":"command","command":"cat > second.json"}]}]}})")});
  auto engine = Engine::create(with);
  const Event event = *Event::from_native("gemini", json(R"({"hook_event_name":"BeforeTool","session_id":"s",
      "tool_name":"glob","tool_input":{"pattern":"*.cc","dir_path":"."}})"));
  const Decision decision = engine->fire(event);
  ASSERT_TRUE(decision.effects.input);
  EXPECT_EQ(decision.effects.input->value, json(R"({"dir_path":"src"})"));
  EXPECT_EQ(json(content_of(dir_ / "project/second.json"))["tool_input"], json(R"({"pattern":"*.cc","path":"src"})"));
}

TEST_F(Mixed, ATailCallIsToldToTheHostInHisWords) {
  auto engine = engine_with("gemini", R"({"hooks":{"AfterTool":[{"hooks":[{"type":"command","command":
      "echo '{\"hookSpecificOutput\":{\"tailToolCallRequest\":{\"name\":\"glob\",\"args\":{\"dir_path\":\"src\"}}}}'"}]}]}})");
  const Event event(EventKind::PostToolUse, json(R"({"session_id":"s","tool_name":"Read","tool_input":{}})"));
  EXPECT_EQ(engine->fire(event).effects.tail_call, json(R"({"name":"Glob","args":{"path":"src"}})"));
}

TEST_F(Mixed, ADenyOfOneDialectStillLetsTheOthersSpeak) {
  EngineOptions with = options();
  with.configs.push_back({"clawd", "", json(R"({"hooks":{"PreToolUse":[{"name":"c","hooks":[
      {"type":"command","command":"exit 2"},{"type":"command","command":"touch never"}]}]}})")});
  with.configs.push_back(
      {"gemini", "",
       json(R"({"hooks":{"BeforeTool":[{"hooks":[{"type":"command","command":"touch audited","name":"g"}]}]}})")});
  auto engine = Engine::create(with);
  const Decision decision = engine->fire(pre_tool("Bash", "{}"));
  EXPECT_TRUE(decision.denied());
  ASSERT_EQ(decision.hooks.size(), 3u);
  EXPECT_EQ(decision.hooks[1].detail, "an earlier hook decided");
  EXPECT_FALSE(std::filesystem::exists(dir_ / "project/never"));
  EXPECT_TRUE(std::filesystem::exists(dir_ / "project/audited"));
}

TEST_F(Mixed, OneHooksGarbageNeverTouchesAnothersAnswer) {
  const char* garbage[] = {
      "echo 1",
      "echo '\"{\"'",
      "printf '{\"permissionDecision\":'",
      "echo '{}{}'",
      "printf '\\xff\\xfe\\x00'",
      "echo '{\"permissionDecision\":7}'",
      "head -c 50000000 /dev/zero",
      "echo '[[['",
      "exit 77",
      "kill -9 $$",
      "echo '{\"permissionDecision\":\"deny\"' >&2",
      "/no/such/program",
      "printf '\\357\\273\\277{}'",
  };
  for (const char* command : garbage) {
    SCOPED_TRACE(command);
    EngineOptions with = options();
    const auto hooks = [](std::string_view first) {
      return Json::object(
          {{"hooks",
            Json::array({Json::object({{"type", Json::string("command")}, {"command", Json::string(first)}}),
                         Json::object(
                             {{"type", Json::string("command")},
                              {"command",
                               Json::string(
                                   R"(echo '{"permissionDecision":"ask","permissionDecisionReason":"sure?"}')")}})})}});
    };
    with.configs.push_back(
        {"clawd", "", Json::object({{"hooks", Json::object({{"PreToolUse", Json::array({hooks(command)})}})}})});
    const Decision decision = Engine::create(with)->fire(pre_tool("Bash", "{}"));
    EXPECT_EQ(decision.verdict(), Verdict::Ask);
    EXPECT_EQ(decision.reason(), "sure?");
  }
}

}  // namespace
}  // namespace grapnel::testing
