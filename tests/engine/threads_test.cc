#include <atomic>
#include <thread>

#include "engine/fixture.h"

namespace grapnel::testing {
namespace {

using Threads = EngineTest;

constexpr int kThreads = 16;
constexpr int kEvents = 1000;

/// Event i: one of several tools, so that different hooks answer.
Event event_number(int i) {
  const char* tools[] = {"Bash", "Write", "Edit", "Read", "Glob"};
  return Event(EventKind::PreToolUse, Json::object({{"session_id", Json::string("s" + std::to_string(i % 7))},
                                                    {"tool_name", Json::string(tools[i % 5])},
                                                    {"tool_input", Json::object({{"n", Json::number(int64_t{i})}})}}));
}

TEST_F(Threads, AThousandEventsFromSixteenThreadsAreDecidedAsOneAtATime) {
  EngineOptions with = options();
  with.recording.sink.reset();
  with.host.notices = {};
  with.configs.push_back({"gemini", "", json(R"({"hooks":{"BeforeTool":[
      {"matcher":"run_shell","hooks":[{"type":"command","command":"echo '{\"decision\":\"deny\",\"reason\":\"no shell\"}'"}]},
      {"matcher":"write","hooks":[{"type":"command","command":"exit 1"},{"type":"command","command":"kill -9 $$"}]}]}})")});
  with.configs.push_back({"clawd", "", json(R"({"hooks":{"failureBehavior":"ask","PreToolUse":[
      {"matcher":{"tools":"Edit"},"hooks":[{"type":"command","command":"echo '{\"updatedInput\":{\"x\":1}}'"},{"type":"command","command":"exit 1"}]}]}})")});
  auto engine = Engine::create(with);
  ASSERT_TRUE(engine->register_callback({.name = "even",
                                         .events = {EventKind::PreToolUse},
                                         .call =
                                             [](const Event& event, std::stop_token) {
                                               Effects effects;
                                               const auto n = event.get(Field::ToolInput)["n"].as_integer().value_or(0);
                                               if (n % 2 == 0) effects.context = {{"even", std::to_string(n)}};
                                               return effects;
                                             },
                                         .tools = "Read|Edit|Write"}));

  std::vector<Effects> alone;
  for (int i = 0; i < kEvents; ++i) alone.push_back(engine->fire(event_number(i)).effects);

  std::vector<Effects> together(kEvents);
  std::atomic<int> next{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (int i = next++; i < kEvents; i = next++)
        together[static_cast<size_t>(i)] = engine->fire(event_number(i)).effects;
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (size_t i = 0; i < kEvents; ++i) {
    // A failure is told once in a session, so which event tells it is left to chance.
    together[i].messages.clear();
    alone[i].messages.clear();
    EXPECT_EQ(together[i], alone[i]) << "event " << i;
  }
}

TEST_F(Threads, ReloadingAndSwitchingMeanwhileNeverDisturbsAnEvent) {
  EngineOptions with = options();
  with.recording.sink.reset();
  with.host.notices = {};
  with.configs.push_back(
      {"gemini", "",
       json(R"({"hooks":{"BeforeTool":[{"hooks":[{"name":"other","type":"command","command":"true"}]}]}})")});
  auto engine = Engine::create(with);
  ASSERT_TRUE(engine->register_callback(
      {.name = "guard", .events = {EventKind::PreToolUse}, .call = [](const Event&, std::stop_token) {
         Effects effects;
         effects.verdict = Verdict::Deny;
         return effects;
       }}));
  std::atomic<bool> stop{false};
  std::thread disturber([&] {
    for (int i = 0; !stop; ++i) {
      engine->reload();
      engine->set_enabled("other", i % 2 == 0);
    }
  });
  std::vector<std::future<Decision>> pending;
  for (int i = 0; i < 200; ++i) pending.push_back(engine->fire_async(event_number(i)));
  for (std::future<Decision>& future : pending) EXPECT_TRUE(future.get().denied());
  stop = true;
  disturber.join();
}

}  // namespace
}  // namespace grapnel::testing
