#include <stdexcept>

#include <gtest/gtest.h>

#include "grapnel/engine.h"

#include "os/temp_dir.h"

/// Cases of spec/gemini.md §8.1 that need C++: switches and in-process hooks.
namespace grapnel::conformance {

namespace {

using testing::TempDir;

Json parse_gemini(const std::string& text) {
  return Json::parse(text).value();
}

Event before_tool() {
  return *Event::from_native(
      "gemini",
      parse_gemini(R"({"hook_event_name": "BeforeTool", "tool_name": "write_file", "tool_input": {"a": 1}})"));
}

/// An engine over one settings object, far from the files of whoever runs the test.
class GeminiApi : public ::testing::Test {
 protected:
  std::unique_ptr<Engine> make_engine(const std::string& settings = "{}") {
    EngineOptions options;
    options.project_dir = dir_.path();
    options.places.managed_root = dir_ / "root";
    options.env = {"PATH=/usr/bin:/bin", "HOME=" + (dir_ / "home")};
    options.configs.push_back({"gemini", "", parse_gemini(settings)});
    return Engine::create(std::move(options));
  }

  TempDir dir_;
};

struct SwitchCase {
  const char* note;
  const char* hook;
  const char* name;
  bool found;
  size_t runs_when_off;
};

TEST_F(GeminiApi, SwitchingHooksByName) {
  const SwitchCase cases[] = {
      {"gemini-7: by command", R"({"type": "command", "command": "true"})", "true", true, 0},
      {"gemini-8: by name", R"({"type": "command", "name": "n", "command": "true"})", "n", true, 0},
      {"gemini-8: a named hook is not found by its command", R"({"type": "command", "name": "n", "command": "true"})",
       "true", false, 1},
      {"gemini-9: an unknown name", R"({"type": "command", "command": "true"})", "nobody", false, 1},
  };
  for (const SwitchCase& c : cases) {
    SCOPED_TRACE(c.note);
    const auto engine = make_engine(std::string(R"({"hooks": {"BeforeTool": [{"hooks": [)") + c.hook + "]}]}}");
    EXPECT_EQ(engine->set_enabled(c.name, false), c.found);
    EXPECT_EQ(engine->fire(before_tool()).hooks.size(), c.runs_when_off);
    EXPECT_EQ(engine->hooks().size(), 1U) << "a disabled hook stays listed";
    EXPECT_EQ(engine->set_enabled(c.name, true), c.found);
    EXPECT_EQ(engine->fire(before_tool()).hooks.size(), 1U);
  }
}

TEST_F(GeminiApi, AllEntriesOfANameAreSwitched) {
  const auto engine = make_engine(R"({"hooks": {
    "BeforeTool": [{"hooks": [{"type": "command", "name": "n", "command": "true"}]}],
    "AfterTool": [{"hooks": [{"type": "command", "name": "n", "command": "false"}]}]}})");
  ASSERT_TRUE(engine->set_enabled("n", false));
  for (const HookInfo& hook : engine->hooks()) EXPECT_FALSE(hook.enabled);
}

TEST_F(GeminiApi, ACallbackRunsAndItsMessageIsInTheDecision) {  // gemini-19
  const auto engine = make_engine();
  std::string tool, event_name;
  Json input;
  ASSERT_TRUE(engine->register_callback(
      {.name = "mine", .events = {EventKind::PreToolUse}, .call = [&](const Event& event, std::stop_token) {
         tool = event.text(Field::ToolName);
         input = event.get(Field::ToolInput);
         event_name = event.get(Field::EventName).as_string().value_or("");
         Effects effects;
         effects.messages.push_back({"mine", "seen"});
         return effects;
       }}));
  ASSERT_EQ(engine->hooks().size(), 1U);
  EXPECT_EQ(engine->hooks()[0].scope, "callback");
  const Decision decision = engine->fire(before_tool());
  EXPECT_EQ(tool, "write_file");
  EXPECT_EQ(input, parse_gemini(R"({"a": 1})"));
  EXPECT_EQ(event_name, "PreToolUse");
  ASSERT_EQ(decision.effects.messages.size(), 1U);
  EXPECT_EQ(decision.effects.messages[0], (Attributed{"mine", "seen"}));
}

TEST_F(GeminiApi, ACallbackThatThrowsHasFailed) {  // gemini-20
  const auto engine =
      make_engine(R"({"hooks": {"BeforeTool": [{"hooks": [{"type": "command", "command": "echo still here"}]}]}})");
  ASSERT_TRUE(engine->register_callback(
      {.name = "bad", .events = {EventKind::PreToolUse}, .call = [](const Event&, std::stop_token) -> Effects {
         throw std::runtime_error("broken");
       }}));
  const Decision decision = engine->fire(before_tool());
  EXPECT_EQ(decision.verdict(), Verdict::Pass);
  EXPECT_EQ(decision.origin, Origin::FailOpen);
  ASSERT_EQ(decision.hooks.size(), 2U);
  EXPECT_EQ(decision.hooks[0].kind, HookFate::Kind::Ran);
  EXPECT_EQ(decision.hooks[1].kind, HookFate::Kind::Failed);
  EXPECT_NE(decision.hooks[1].detail.find("broken"), std::string::npos);
}

TEST_F(GeminiApi, CallbacksSurviveAReload) {  // gemini-21
  const auto engine =
      make_engine(R"({"hooks": {"BeforeTool": [{"hooks": [{"type": "command", "command": "true"}]}]}})");
  ASSERT_TRUE(engine->register_callback({.name = "mine",
                                         .events = {EventKind::PreToolUse},
                                         .call = [](const Event&, std::stop_token) { return Effects{}; }}));
  ASSERT_TRUE(engine->set_enabled("true", false));
  engine->reload();
  engine->reload();
  ASSERT_EQ(engine->hooks().size(), 2U) << "rebuilt, not doubled";
  const Decision decision = engine->fire(before_tool());
  ASSERT_EQ(decision.hooks.size(), 1U) << "what was switched off stays off";
  EXPECT_EQ(decision.hooks[0].name, "mine");
}

TEST_F(GeminiApi, ABadRegistrationIsRefused) {
  const auto engine = make_engine();
  const HookCallback nothing = [](const Event&, std::stop_token) { return Effects{}; };
  const CallbackHook cases[] = {
      {.name = "", .events = {EventKind::PreToolUse}, .call = nothing},
      {.name = "no-events", .events = {}, .call = nothing},
      {.name = "no-call", .events = {EventKind::PreToolUse}, .call = nullptr},
  };
  for (const CallbackHook& hook : cases) EXPECT_FALSE(engine->register_callback(hook)) << hook.name;
  EXPECT_TRUE(engine->hooks().empty());
}

}  // namespace

}  // namespace grapnel::conformance
