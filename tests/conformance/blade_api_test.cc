#include <stdexcept>

#include <gtest/gtest.h>

#include "grapnel/engine.h"

#include "os/temp_dir.h"

/// Cases of spec/blade-clawd-synapse.md §10 that need C++: callbacks beside command hooks.
namespace grapnel::conformance {

namespace {

using testing::TempDir;

Json parse(const std::string& text) {
  return Json::parse(text).value();
}

class BladeApi : public ::testing::Test {
 protected:
  /// An engine with one command hook of Blade's at that event, which answers with `output`.
  std::unique_ptr<Engine> make_engine(const std::string& event, const std::string& output) {
    EngineOptions options;
    options.project_dir = dir_.path();
    options.places.managed_root = dir_ / "root";
    options.env = {"PATH=/usr/bin:/bin", "HOME=" + (dir_ / "home")};
    const std::string script = dir_.put("hook.sh", "#!/bin/sh\ncat <<'END'\n" + output + "\nEND\n", 0755);
    options.configs.push_back({"blade", "",
                               parse(R"({"hooks": {")" + event + R"(": [{"hooks": [{"type": "command", "command": ")" +
                                     script + R"("}]}]}})")});
    return Engine::create(std::move(options));
  }

  static Decision fire(Engine& engine, const std::string& payload) {
    return engine.fire(*Event::from_native("blade", parse(payload)));
  }

  TempDir dir_;
};

TEST_F(BladeApi, ACallbacksInputAndACommandsAddUp) {  // blade-49
  const auto engine = make_engine("PreToolUse", R"({"hookSpecificOutput": {"hookEventName": "PreToolUse",
      "permissionDecision": "ask", "permissionDecisionReason": "sure?", "updatedInput": {"b": 2}}})");
  ASSERT_TRUE(engine->register_callback(
      {.name = "mine", .events = {EventKind::PreToolUse}, .call = [](const Event&, std::stop_token) {
         Effects effects;
         effects.input = Rewrite{Rewrite::Mode::Merge, parse(R"({"a": 1})")};
         return effects;
       }}));
  const Decision decision =
      fire(*engine, R"({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"}})");
  EXPECT_EQ(decision.verdict(), Verdict::Ask);
  ASSERT_TRUE(decision.effects.input);
  EXPECT_EQ(decision.effects.input->apply(parse(R"({"command": "ls"})")), parse(R"({"command":"ls","b":2,"a":1})"));
}

TEST_F(BladeApi, ACallbacksOutputIsTheLastWord) {  // blade-50
  const auto engine = make_engine("PostToolUse", R"({"hookSpecificOutput": {"hookEventName": "PostToolUse",
      "additionalContext": "Y", "updatedOutput": "of the command"}})");
  ASSERT_TRUE(engine->register_callback(
      {.name = "mine", .events = {EventKind::PostToolUse}, .call = [](const Event&, std::stop_token) {
         Effects effects;
         effects.output = Json::string("X");
         return effects;
       }}));
  const Decision decision =
      fire(*engine, R"({"hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_input": {}, "tool_output": "o"})");
  EXPECT_EQ(decision.effects.output, Json::string("X"));
  EXPECT_EQ(decision.context(), "Y");
}

TEST_F(BladeApi, OfSeveralPromptsTheLastCounts) {  // blade-52
  const auto engine = make_engine("UserPromptSubmit", R"({"hookSpecificOutput": {"hookEventName": "UserPromptSubmit",
      "updatedPrompt": "p2", "contextInjection": "c"}})");
  ASSERT_TRUE(engine->register_callback({.name = "first",
                                         .events = {EventKind::UserPromptSubmit},
                                         .call =
                                             [](const Event&, std::stop_token) {
                                               Effects effects;
                                               effects.prompt = "p1";
                                               return effects;
                                             },
                                         .priority = 200}));
  const Decision decision = fire(*engine, R"({"hook_event_name": "UserPromptSubmit", "user_prompt": "p"})");
  EXPECT_EQ(decision.effects.prompt, "p2");
  EXPECT_EQ(decision.context(), "c");
}

TEST_F(BladeApi, ACallbackThatThrowsDoesNotHarmTheNextEvent) {  // blade-54, blade-63
  const auto engine = make_engine("UserPromptSubmit", "{}");
  bool throws = true;
  ASSERT_TRUE(engine->register_callback(
      {.name = "mine", .events = {EventKind::UserPromptSubmit}, .call = [&](const Event&, std::stop_token) -> Effects {
         if (throws) throw std::runtime_error("broken");
         return {};
       }}));
  const std::string payload = R"({"hook_event_name": "UserPromptSubmit", "user_prompt": "p"})";
  EXPECT_EQ(fire(*engine, payload).origin, Origin::FailOpen);
  throws = false;
  EXPECT_EQ(fire(*engine, payload).origin, Origin::Hook);
}

TEST_F(BladeApi, TheOutputOfAFailedToolCanBeChanged) {  // blade-55
  const auto engine = make_engine("PostToolUseFailure", "{}");
  ASSERT_TRUE(engine->register_callback(
      {.name = "mine", .events = {EventKind::PostToolUseFailure}, .call = [](const Event&, std::stop_token) {
         Effects effects;
         effects.output = Json::string("Z");
         return effects;
       }}));
  const Decision decision = fire(
      *engine, R"({"hook_event_name": "PostToolUseFailure", "tool_name": "Bash", "tool_input": {}, "error": "e"})");
  EXPECT_EQ(decision.effects.output, Json::string("Z"));
}

}  // namespace

}  // namespace grapnel::conformance
