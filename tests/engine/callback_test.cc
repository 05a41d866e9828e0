#include <stdexcept>
#include <thread>

#include "engine/fixture.h"

namespace grapnel::testing {
namespace {

using Callbacks = EngineTest;

Effects deny(std::string reason) {
  Effects effects;
  effects.verdict = Verdict::Deny;
  effects.reasons = {{"callback", std::move(reason)}};
  return effects;
}

TEST_F(Callbacks, TakePartInTheDecision) {
  auto engine = Engine::create(options());
  std::string seen;
  ASSERT_TRUE(engine->register_callback(
      {.name = "guard", .events = {EventKind::PreToolUse}, .call = [&](const Event& event, std::stop_token) {
         seen = event.text(Field::ToolName);
         return deny("not here");
       }}));
  const Decision decision = engine->fire(pre_tool("Bash", R"({"command":"ls"})"));
  EXPECT_EQ(seen, "Bash");
  EXPECT_TRUE(decision.denied());
  EXPECT_EQ(decision.decided_by, "guard");
  EXPECT_EQ(engine->hook_counts(), (std::map<EventKind, size_t>{{EventKind::PreToolUse, 1}}));
}

TEST_F(Callbacks, MatchOnToolsByNameOrRegex) {
  auto engine = Engine::create(options());
  int calls = 0;
  ASSERT_TRUE(engine->register_callback({.name = "edits",
                                         .events = {EventKind::PreToolUse},
                                         .call =
                                             [&](const Event&, std::stop_token) {
                                               ++calls;
                                               return Effects{};
                                             },
                                         .tools = "Write|Edit"}));
  engine->fire(pre_tool("Bash", "{}"));
  EXPECT_EQ(calls, 0);
  engine->fire(pre_tool("Edit", "{}"));
  EXPECT_EQ(calls, 1);
}

TEST_F(Callbacks, ExceptionsAreTheHooksFailure) {
  auto engine = Engine::create(options());
  ASSERT_TRUE(engine->register_callback(
      {.name = "open", .events = {EventKind::PreToolUse}, .call = [](const Event&, std::stop_token) -> Effects {
         throw std::runtime_error("boom");
       }}));
  const Decision passed = engine->fire(pre_tool("Bash", "{}"));
  EXPECT_EQ(passed.verdict(), Verdict::Pass);
  EXPECT_EQ(passed.origin, Origin::FailOpen);
  EXPECT_EQ(passed.hooks.at(0).kind, HookFate::Kind::Failed);
  EXPECT_EQ(notices_, (std::vector<std::string>{"hook 'open' failed: threw: boom"}));

  ASSERT_TRUE(engine->register_callback({.name = "closed",
                                         .events = {EventKind::PreToolUse},
                                         .call = [](const Event&, std::stop_token) -> Effects { throw 7; },
                                         .on_failure = OnFailure::Closed}));
  const Decision denied = engine->fire(pre_tool("Bash", "{}"));
  EXPECT_TRUE(denied.denied());
  EXPECT_EQ(denied.origin, Origin::FailClosed);
  EXPECT_EQ(denied.decided_by, "closed");
}

TEST_F(Callbacks, ATimeoutLeavesTheCallbackBehindAndTellsIt) {
  auto engine = Engine::create(options());
  auto told = std::make_shared<std::promise<void>>();
  std::future<void> was_told = told->get_future();
  ASSERT_TRUE(engine->register_callback({.name = "slow",
                                         .events = {EventKind::PreToolUse},
                                         .call =
                                             [told](const Event&, std::stop_token stop) {
                                               while (!stop.stop_requested()) std::this_thread::yield();
                                               told->set_value();
                                               return Effects{};
                                             },
                                         .timeout = std::chrono::milliseconds(20),
                                         .on_failure = OnFailure::Ask}));
  const Decision decision = engine->fire(pre_tool("Bash", "{}"));
  EXPECT_EQ(decision.verdict(), Verdict::Ask);
  EXPECT_EQ(decision.origin, Origin::FailAsk);
  EXPECT_EQ(was_told.wait_for(kLong), std::future_status::ready);
}

TEST_F(Callbacks, SurviveAReloadAndCanBeTakenOut) {
  auto engine = Engine::create(options());
  ASSERT_TRUE(engine->register_callback({.name = "guard",
                                         .events = {EventKind::PreToolUse},
                                         .call = [](const Event&, std::stop_token) { return deny("no"); }}));
  engine->reload();
  EXPECT_EQ(engine->hooks().size(), 1u);
  EXPECT_TRUE(engine->fire(pre_tool("Bash", "{}")).denied());
  EXPECT_TRUE(engine->unregister_callback("guard"));
  EXPECT_FALSE(engine->unregister_callback("guard"));
  EXPECT_EQ(engine->fire(pre_tool("Bash", "{}")).origin, Origin::NoHook);
}

TEST_F(Callbacks, BadRegistrationsSayWhatIsWrong) {
  auto engine = Engine::create(options());
  const HookCallback nothing = [](const Event&, std::stop_token) { return Effects{}; };
  EXPECT_EQ(engine->register_callback({.name = "", .events = {EventKind::Stop}, .call = nothing}).error().message,
            "a callback needs a name");
  EXPECT_EQ(engine->register_callback({.name = "a", .events = {}, .call = nothing}).error().message,
            "callback 'a' names no event");
  EXPECT_EQ(engine->register_callback({.name = "a", .events = {EventKind::Stop}, .call = {}}).error().message,
            "callback 'a' has no function");
  EXPECT_TRUE(engine->register_callback({.name = "a", .events = {EventKind::Stop}, .call = nothing}));
  EXPECT_EQ(engine->register_callback({.name = "a", .events = {EventKind::Stop}, .call = nothing}).error().message,
            "a callback named 'a' is already registered");
}

TEST_F(Callbacks, HigherPriorityRunsFirst) {
  auto engine = Engine::create(options());
  std::string order;
  const auto noting = [&](char c) {
    return [&order, c](const Event&, std::stop_token) {
      order += c;
      return Effects{};
    };
  };
  ASSERT_TRUE(
      engine->register_callback({.name = "low", .events = {EventKind::Stop}, .call = noting('l'), .priority = 10}));
  ASSERT_TRUE(engine->register_callback({.name = "first", .events = {EventKind::Stop}, .call = noting('1')}));
  ASSERT_TRUE(engine->register_callback({.name = "second", .events = {EventKind::Stop}, .call = noting('2')}));
  ASSERT_TRUE(
      engine->register_callback({.name = "high", .events = {EventKind::Stop}, .call = noting('h'), .priority = 900}));
  engine->fire(Event(EventKind::Stop, Json::object()));
  EXPECT_EQ(order, "h12l");
}

TEST_F(Callbacks, MayAnswerLater) {
  auto engine = Engine::create(options());
  ASSERT_TRUE(engine->register_callback(
      {.name = "later", .events = {EventKind::PreToolUse}, .call = wait_for([](const Event&, std::stop_token) {
                                                             return std::async(std::launch::async,
                                                                               [] { return deny("thought about it"); });
                                                           })}));
  EXPECT_EQ(engine->fire(pre_tool("Bash", "{}")).reason(), "thought about it");
}

TEST_F(Callbacks, LearnThatTheHostGaveUp) {
  for (const auto timeout : {std::chrono::milliseconds(0), std::chrono::milliseconds(60000)}) {
    SCOPED_TRACE(timeout.count());
    auto engine = Engine::create(options());
    std::stop_source stop;
    std::promise<bool> told;
    ASSERT_TRUE(engine->register_callback({.name = "patient",
                                           .events = {EventKind::PreToolUse},
                                           .call =
                                               [&](const Event&, std::stop_token cancel) {
                                                 stop.request_stop();
                                                 while (!cancel.stop_requested()) std::this_thread::yield();
                                                 told.set_value(true);
                                                 return Effects{};
                                               },
                                           .timeout = timeout}));
    engine->fire(pre_tool("Bash", "{}"), stop.get_token());
    EXPECT_TRUE(told.get_future().get());
  }
}

TEST_F(Callbacks, TheLastInCanBeTheFirst) {
  auto engine = Engine::create(options());
  std::string order;
  const auto add = [&](std::string name, bool last_in_first) {
    ASSERT_TRUE(engine->register_callback({.name = name,
                                           .events = {EventKind::PreToolUse},
                                           .call =
                                               [&order, name](const Event&, std::stop_token) {
                                                 order += name;
                                                 return Effects{};
                                               },
                                           .last_in_first = last_in_first}));
  };
  add("a", false);
  add("b", false);
  add("c", true);
  add("d", true);
  engine->fire(pre_tool("Bash", "{}"));
  EXPECT_EQ(order, "dcab");
}

}  // namespace
}  // namespace grapnel::testing
