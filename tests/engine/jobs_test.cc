#include "engine/fixture.h"

// Hooks that a worker of a fleet runs: the engine writes down that they are wanted, and starts nothing.

namespace grapnel::testing {
namespace {

class Jobs : public EngineTest {
 protected:
  void put_policy(const std::string& hooks) {
    dir_.put("state/grapnel/fleet/policy/now/grapnel.yaml", "version: 1\nhooks:\n" + hooks);
  }
  Event call(const std::string& command) {
    return pre_tool("Bash", Json::object({{"command", Json::string(command)}}).dump());
  }
  /// The record of the event itself.
  const Record& first() const { return sink_->records.at(0); }

  const std::string ran_ = dir_ / "ran";
  const std::string tell_ = "  - {name: tell, on: PreToolUse, run: 'touch " + ran_ + "', async: fleet}\n";
};

TEST_F(Jobs, AreWrittenDownAndNotStarted) {
  put_policy(tell_);
  std::string id;
  {
    const auto engine = Engine::create(options());
    const Decision decision = engine->fire(call("make"));
    EXPECT_FALSE(decision.denied());
    ASSERT_EQ(decision.hooks.size(), 1U);
    EXPECT_EQ(decision.hooks[0].kind, HookFate::Kind::Detached);
    EXPECT_EQ(decision.hooks[0].detail, "async: a job for the fleet");
    ASSERT_EQ(first().jobs.size(), 1U);
    EXPECT_EQ(first().jobs[0].hook, "tell");
    EXPECT_FALSE(first().jobs[0].payload) << "it is the record's";
    id = first().jobs[0].id;
    engine->fire(call("make"));
    EXPECT_NE(sink_->records.at(1).jobs.at(0).id, id) << "each event has its own";
  }
  // The engine's end waits for everything that it has started.
  EXPECT_FALSE(std::filesystem::exists(ran_));
}

TEST_F(Jobs, SeeTheEventAsItWasRewritten) {
  put_policy("  - {name: rewrites, on: PreToolUse, when: {command: npm}, rewrite: {command: pnpm}}\n" + tell_);
  Engine::create(options())->fire(call("npm ci"));
  ASSERT_EQ(first().jobs.size(), 1U);
  EXPECT_EQ(first().jobs[0].payload["tool_input"]["command"].as_string(), "pnpm ci");
}

TEST_F(Jobs, OfADeniedCallAreNotWanted) {
  put_policy("  - {name: no, on: PreToolUse, deny: No.}\n" + tell_);
  Engine::create(options())->fire(call("make"));
  EXPECT_TRUE(first().jobs.empty());
}

TEST_F(Jobs, OutsideOfAPolicyRunHere) {
  dir_.put("home/.config/agents/grapnel.yaml", "version: 1\nhooks:\n" + tell_);
  Engine::create(options())->fire(call("make"));
  EXPECT_TRUE(first().jobs.empty());
  EXPECT_TRUE(std::filesystem::exists(ran_));
}

/// A disk that is full.
class FailingSink final : public RecordSink {
 public:
  void record(const Record&) noexcept override {}
  void snapshot(const std::string&, const Json&) noexcept override {}
  std::string last_failure() const noexcept override { return "the disk is full"; }
};

TEST_F(Jobs, ThatCannotBeWrittenDownRunHere) {
  put_policy(tell_);
  for (const auto& sink : {std::shared_ptr<RecordSink>(), std::shared_ptr<RecordSink>(new FailingSink)}) {
    std::filesystem::remove(ran_);
    EngineOptions with = options();
    with.recording.sink = sink;
    Engine::create(std::move(with))->fire(call("make"));
    EXPECT_TRUE(std::filesystem::exists(ran_)) << (sink ? "the record cannot be written" : "nothing is recorded");
  }
}

}  // namespace
}  // namespace grapnel::testing
