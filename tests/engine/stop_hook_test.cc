#include "grapnel/stop_hook.h"

#include <atomic>
#include <stdexcept>
#include <thread>

#include "engine/fixture.h"

// Synapse (seed 000): functions that watch the end of a turn.

namespace grapnel::testing {
namespace {

using Lines = std::vector<std::string>;

class StopHooksTest : public EngineTest {
 protected:
  StopHookContext context() const {
    return {.session_id = "s1",
            .cwd = "/project",
            .messages = json(R"([{"role":"user","content":"hi"},{"role":"assistant","content":"done"}])"),
            .final_response = "done",
            .tool_calls = {{"Bash", json(R"({"command":"ls"})"), json(R"("a.txt")"), true},
                           {"Read", json(R"({"file_path":"b"})"), json(R"("no such file")"), false}}};
  }

  std::shared_ptr<Engine> engine_ = Engine::create(options());
  StopHooks hooks_{engine_};
};

TEST_F(StopHooksTest, RunLastInFirstOut) {
  for (const char* text : {"Hook 1: First registered, last executed", "Hook 2: Second registered, second executed",
                           "Hook 3: Last registered, first executed"}) {
    ASSERT_TRUE(hooks_.add([text](const StopHookContext&) { return StopHookResult{text}; }));
  }
  EXPECT_EQ(hooks_.run(context()).messages, (Lines{"[StopHook] Hook 3: Last registered, first executed",
                                                   "[StopHook] Hook 2: Second registered, second executed",
                                                   "[StopHook] Hook 1: First registered, last executed"}));
}

TEST_F(StopHooksTest, ReceiveTheWholeTurn) {
  StopHookContext seen;
  ASSERT_TRUE(hooks_.add([&](const StopHookContext& told) { seen = told; }));
  StopHookContext sent = context();
  sent.reached_max_iterations = true;
  hooks_.run(sent);
  EXPECT_EQ(seen.session_id, "s1");
  EXPECT_EQ(seen.cwd, "/project");
  EXPECT_EQ(seen.messages, sent.messages);
  EXPECT_EQ(seen.final_response, "done");
  ASSERT_EQ(seen.tool_calls.size(), 2U);
  EXPECT_EQ(seen.tool_calls[0].tool_name, "Bash");
  EXPECT_EQ(seen.tool_calls[0].input, json(R"({"command":"ls"})"));
  EXPECT_EQ(seen.tool_calls[0].output, json(R"("a.txt")"));
  EXPECT_TRUE(seen.tool_calls[0].success);
  EXPECT_FALSE(seen.tool_calls[1].success);
  EXPECT_TRUE(seen.reached_max_iterations);
}

TEST_F(StopHooksTest, ASessionNeedsNoId) {
  std::optional<std::string> id = "unset";
  ASSERT_TRUE(hooks_.add([&](const StopHookContext& told) { id = told.session_id; }));
  StopHookContext sent = context();
  sent.session_id.reset();
  hooks_.run(sent);
  EXPECT_EQ(id, std::nullopt);
}

TEST_F(StopHooksTest, AnswerNowOrLaterOrNotAtAll) {
  ASSERT_TRUE(hooks_.add([](const StopHookContext&) {}));
  ASSERT_TRUE(hooks_.add([](const StopHookContext&) { return StopHookResult{"  "}; }));
  ASSERT_TRUE(hooks_.add([](const StopHookContext&) { return StopHookResult{"now"}; }));
  ASSERT_TRUE(hooks_.add(
      [](const StopHookContext&) { return std::async(std::launch::async, [] { return StopHookResult{"later"}; }); }));
  ASSERT_TRUE(hooks_.add([](const StopHookContext&) { return std::async(std::launch::async, [] {}); }));
  EXPECT_EQ(hooks_.run(context()).messages, (Lines{"[StopHook] later", "[StopHook] now"}));
}

TEST_F(StopHooksTest, AnErrorIsReportedAndTheOthersRun) {
  ASSERT_TRUE(hooks_.add([](const StopHookContext&) { return StopHookResult{"first"}; }));
  ASSERT_TRUE(hooks_.add([](const StopHookContext&) -> StopHookResult { throw std::runtime_error("boom"); }));
  ASSERT_TRUE(hooks_.add([](const StopHookContext&) {
    return std::async(std::launch::async, []() -> StopHookResult { throw std::runtime_error("late boom"); });
  }));
  const StopHooks::Report report = hooks_.run(context());
  EXPECT_EQ(report.messages, (Lines{"[StopHook] first"}));
  EXPECT_EQ(report.errors,
            (Lines{"Stop hook execution failed: threw: late boom", "Stop hook execution failed: threw: boom"}));
  EXPECT_EQ(report.decision.verdict(), Verdict::Pass);
}

TEST_F(StopHooksTest, EachLineIsShownBeforeTheNextHookRuns) {
  Lines shown;
  StopHooks hooks(engine_, [&](const StopHookLine& line) { shown.push_back((line.is_error ? "! " : "") + line.text); });
  std::vector<size_t> seen;
  const auto count = [&] { seen.push_back(shown.size()); };
  ASSERT_TRUE(hooks.add([&](const StopHookContext&) { return count(), StopHookResult{"third"}; }));
  ASSERT_TRUE(hooks.add([&](const StopHookContext&) -> StopHookResult {
    count();
    throw std::runtime_error("boom");
  }));
  ASSERT_TRUE(hooks.add([&](const StopHookContext&) { return count(), StopHookResult{"first"}; }));
  hooks.run(context());
  EXPECT_EQ(seen, (std::vector<size_t>{0, 1, 2}));
  EXPECT_EQ(shown, (Lines{"[StopHook] first", "! Stop hook execution failed: threw: boom", "[StopHook] third"}));
}

TEST_F(StopHooksTest, NoneAreSilent) {
  const StopHooks::Report report = hooks_.run(context());
  EXPECT_TRUE(report.messages.empty() && report.errors.empty() && report.data.empty());
  EXPECT_TRUE(sink_->records.empty());
  EXPECT_TRUE(notices_.empty());
}

TEST_F(StopHooksTest, DataReachesTheHost) {
  ASSERT_TRUE(hooks_.add([](const StopHookContext&) { return StopHookResult{"", json(R"({"score":3})")}; },
                         {.name = "scorer"}));
  const auto data = hooks_.run(context()).data;
  ASSERT_EQ(data.size(), 1U);
  EXPECT_EQ(data[0].first, "scorer");
  EXPECT_EQ(data[0].second, json(R"({"score":3})"));
}

TEST_F(StopHooksTest, HaveNamesTimeoutsAndAnEnd) {
  const auto release = std::make_shared<std::atomic<bool>>(false);  // the stuck thread outlives the test
  ASSERT_TRUE(hooks_.add([](const StopHookContext&) { return StopHookResult{"quick"}; }, {.name = "quick"}));
  EXPECT_FALSE(hooks_.add([](const StopHookContext&) {}, {.name = "quick"}));
  ASSERT_TRUE(hooks_.add(
      [release](const StopHookContext&) {
        while (!*release) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      },
      {.name = "stuck", .timeout = std::chrono::milliseconds(20)}));
  const StopHooks::Report report = hooks_.run(context());
  *release = true;
  EXPECT_EQ(report.messages, (Lines{"[StopHook] quick"}));
  EXPECT_EQ(report.errors, (Lines{"Stop hook execution failed: timed out after 20 ms"}));
  EXPECT_TRUE(hooks_.remove("stuck"));
  EXPECT_FALSE(hooks_.remove("stuck"));
  EXPECT_TRUE(hooks_.run(context()).errors.empty());
}

TEST_F(StopHooksTest, GoWithTheirOwner) {
  {
    StopHooks brief(engine_);
    ASSERT_TRUE(brief.add([](const StopHookContext&) {}));
    EXPECT_EQ(engine_->hooks().size(), 1U);
  }
  EXPECT_TRUE(engine_->hooks().empty());
}

TEST_F(StopHooksTest, AHostMayFireTheMomentItself) {
  ASSERT_TRUE(hooks_.add([](const StopHookContext& told) { return StopHookResult{told.final_response}; }));
  EXPECT_EQ(hooks_.report(engine_->fire(context().to_event())).messages, (Lines{"[StopHook] done"}));
}

}  // namespace
}  // namespace grapnel::testing
