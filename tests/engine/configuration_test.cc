#include "engine/fixture.h"

namespace grapnel::testing {
namespace {

using Configuration = EngineTest;

constexpr const char* kDenyAll =
    R"({"hooks":{"BeforeTool":[{"hooks":[{"name":"guard","type":"command","command":"exit 2"}]}]}})";

TEST_F(Configuration, IsReadAgainWhenAFileChanges) {
  dir_.put("home/.gemini/settings.json", kDenyAll);
  auto engine = Engine::create(options());
  engine->fire(pre_tool("Bash", "{}"));
  EXPECT_TRUE(engine->fire(pre_tool("Bash", "{}")).denied());
  dir_.put("home/.gemini/settings.json", R"({"hooks":{}} )");
  EXPECT_FALSE(engine->fire(pre_tool("Bash", "{}")).denied());
  dir_.put("home/.gemini/settings.json", kDenyAll);
  EXPECT_TRUE(engine->fire(pre_tool("Bash", "{}")).denied());
}

TEST_F(Configuration, ABrokenFileLosesNothingElse) {
  dir_.put("home/.gemini/settings.json", kDenyAll);
  dir_.put("home/.clawdcode/settings.json", "{\n  \"hooks\": {,}\n}");
  auto engine = Engine::create(options());
  EXPECT_TRUE(engine->fire(pre_tool("Bash", "{}")).denied());
  ASSERT_EQ(engine->problems().size(), 1u);
  const ConfigProblem problem = engine->problems()[0];
  EXPECT_EQ(problem.at.line, 2u);
  EXPECT_EQ(problem.at.column, 13u);
  EXPECT_TRUE(problem.at.file.ends_with(".clawdcode/settings.json"));
}

TEST_F(Configuration, ABadEntryIsLeftOutAndItsSiblingsLoad) {
  auto engine = engine_with("gemini", R"({"hooks":{
    "BeforeTol": [],
    "BeforeTool": [
      {"matcher": "x", "hooks": [{"type": "comand", "command": "true"}]},
      {"hooks": [{"type": "command"}, {"type": "command", "command": "true", "timeout": -1}, 7]},
      {"hooks": [{"type": "command", "command": "exit 2", "timout": 5}]}
    ]}})");
  EXPECT_EQ(engine->hooks().size(), 1u);
  EXPECT_TRUE(engine->fire(pre_tool("Bash", "{}")).denied());
  std::vector<std::string> problems;
  for (const ConfigProblem& problem : engine->problems()) problems.push_back(problem.to_string());
  EXPECT_EQ(
      problems,
      (std::vector<std::string>{
          "configuration object:2:5: error: 'BeforeTol' is not an event of gemini hooks (did you mean 'BeforeTool'?)",
          "configuration object:4:43: error: 'comand' is not a hook type here (did you mean 'command'?)",
          "configuration object:5:18: error: a hook of type 'command' needs a 'command'",
          "configuration object:5:89: error: 'timeout' must be a number of milliseconds above 0",
          "configuration object:5:94: error: a hook must be an object with 'type' and 'command'",
          "configuration object:6:59: warning: unknown key 'timout' in a hook is ignored (did you mean 'timeout'?)",
      }));
}

TEST_F(Configuration, TheEnvironmentOverrides) {
  struct Case {
    const char* note;
    std::string variable;
    bool denied;
  };
  const Case cases[] = {
      {"nothing set", "X=1", true},
      {"all off", "GRAPNEL_DISABLE=1", false},
      {"all off by word", "GRAPNEL_DISABLE=all", false},
      {"0 is off the off switch", "GRAPNEL_DISABLE=0", true},
      {"this one by name", "GRAPNEL_DISABLE=other, guard", false},
      {"another by name", "GRAPNEL_DISABLE=other", true},
      {"a short default timeout", "GRAPNEL_TIMEOUT=1h", true},
  };
  dir_.put("home/.gemini/settings.json", kDenyAll);
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    EngineOptions with = options();
    with.env->push_back(c.variable);
    EXPECT_EQ(Engine::create(with)->fire(pre_tool("Bash", "{}")).denied(), c.denied);
  }
}

TEST_F(Configuration, TimeoutAndConfigFromTheEnvironment) {
  const std::string extra = dir_.put("extra.json", R"({"hooks":{"BeforeTool":[{"hooks":[
      {"type":"command","command":"true","name":"default"},{"type":"command","command":"true","name":"own","timeout":70}]}]}})");
  EngineOptions with = options();
  with.env->push_back("GRAPNEL_TIMEOUT=1500ms");
  with.env->push_back("GRAPNEL_CONFIG=" + extra);
  auto engine = Engine::create(with);
  ASSERT_EQ(engine->hooks().size(), 2u);
  EXPECT_EQ(engine->hooks()[0].timeout.count(), 1500);
  EXPECT_EQ(engine->hooks()[1].timeout.count(), 70);

  with.env->push_back("GRAPNEL_TIMEOUT=soon");
  EXPECT_EQ(Engine::create(with)->problems().at(0).message,
            "GRAPNEL_TIMEOUT='soon' is not a duration; write 30s, 500ms or 2m");
}

TEST_F(Configuration, SettingsFlowDownNeverUp) {
  dir_.put("home/.gemini/settings.json", kDenyAll);
  dir_.put("project/.gemini/settings.json", R"({"hooksConfig":{"enabled":false,"disabled":["guard"]}})");
  auto engine = Engine::create(options());
  EXPECT_TRUE(engine->fire(pre_tool("Bash", "{}")).denied()) << "a project must not switch a user's guard off";

  dir_.put("home/.clawdcode/settings.json",
           R"({"hooks":{"PreToolUse":[{"name":"mine","hooks":[{"type":"command","command":"exit 2"}]}]}})");
  dir_.put("project/.clawdcode/settings.json", R"({"hooks":{"enabled":false,"PreToolUse":[]}})");
  dir_.put("home/.gemini/settings.json", "{}");
  engine->reload();
  EXPECT_TRUE(engine->fire(pre_tool("Bash", "{}")).denied()) << "nor replace it";
}

TEST_F(Configuration, AManagedHookCannotBeSwitchedOff) {
  dir_.put("root/etc/gemini-cli/settings.json", kDenyAll);
  dir_.put("home/.gemini/settings.json", R"({"hooksConfig":{"enabled":false,"disabled":["guard"]}})");
  auto engine = Engine::create(options());
  EXPECT_FALSE(engine->set_enabled("guard", false));
  EXPECT_TRUE(engine->fire(pre_tool("Bash", "{}")).denied());
}

TEST_F(Configuration, HooksAreSwitchedByName) {
  auto engine = engine_with("gemini", kDenyAll);
  EXPECT_TRUE(engine->set_enabled("guard", false));
  EXPECT_FALSE(engine->fire(pre_tool("Bash", "{}")).denied());
  EXPECT_FALSE(engine->hooks()[0].enabled);
  EXPECT_TRUE(engine->set_enabled("guard", true));
  EXPECT_TRUE(engine->fire(pre_tool("Bash", "{}")).denied());
  EXPECT_FALSE(engine->set_enabled("gard", false));
  engine->set_all_enabled(false);
  EXPECT_EQ(engine->fire(pre_tool("Bash", "{}")).origin, Origin::Engine);
}

}  // namespace
}  // namespace grapnel::testing
