#include <mutex>
#include <stdexcept>

#include "engine/fixture.h"

// Whoever watches sees every hook's run from end to end.

namespace grapnel::testing {
namespace {

class Watcher final : public HookObserver {
 public:
  void hooks_started(const Event& event, const std::vector<std::string>& labels) override {
    const std::lock_guard lock(mutex_);
    started.push_back(std::string(to_string(event.kind())) + ":");
    for (const std::string& label : labels) started.back() += " " + label;
  }
  void hook_finished(const HookRun& run) override {
    const std::lock_guard lock(mutex_);
    finished.push_back(run);
  }
  std::vector<std::string> started;
  std::vector<HookRun> finished;

 private:
  std::mutex mutex_;
};

class ObserverTest : public EngineTest {
 protected:
  std::shared_ptr<Watcher> fire(std::string settings) {
    auto watcher = std::make_shared<Watcher>();
    EngineOptions watched = options();
    watched.host.observer = watcher;
    watched.configs.push_back({"gemini", "", json(std::move(settings))});
    decision_ = Engine::create(std::move(watched))->fire(pre_tool("Bash", R"({"command":"ls"})"));
    return watcher;
  }
  Decision decision_;
};

TEST_F(ObserverTest, SeesInputOutputErrorsAndExitCode) {
  const auto watcher = fire(
      R"J({"hooks":{"BeforeTool":[{"hooks":[{"type":"command","name":"loud","command":"echo '{}'; echo hm >&2; exit 1"}]}]}})J");
  EXPECT_EQ(watcher->started, (std::vector<std::string>{"PreToolUse: loud"}));
  ASSERT_EQ(watcher->finished.size(), 1U);
  const HookRun& run = watcher->finished[0];
  EXPECT_EQ(run.event_id, decision_.event_id);
  EXPECT_EQ(run.event, EventKind::PreToolUse);
  EXPECT_EQ(run.hook, "loud");
  EXPECT_EQ(run.dialect, "gemini");
  EXPECT_EQ(run.command, "echo '{}'; echo hm >&2; exit 1");
  EXPECT_EQ(json(run.input)["tool_name"], Json::string("run_shell_command"));
  EXPECT_EQ(run.output, "{}\n");
  EXPECT_EQ(run.errors, "hm\n");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.fate, decision_.hooks.at(0));
}

TEST_F(ObserverTest, AHookThatTimedOutHasNoExitCode) {
  const auto watcher =
      fire(R"({"hooks":{"BeforeTool":[{"hooks":[{"type":"command","command":"sleep 9","timeout":20}]}]}})");
  ASSERT_EQ(watcher->finished.size(), 1U);
  EXPECT_EQ(watcher->finished[0].exit_code, std::nullopt);
  EXPECT_EQ(watcher->finished[0].fate.kind, HookFate::Kind::Failed);
}

TEST_F(ObserverTest, HooksBesideEachOtherAreAnnouncedTogether) {
  const auto watcher = fire(R"({"hooks":{"BeforeTool":[{"hooks":[
    {"type":"command","name":"a","command":"true"},{"type":"command","name":"b","command":"true"}]}]}})");
  EXPECT_EQ(watcher->started, (std::vector<std::string>{"PreToolUse: a b"}));
  EXPECT_EQ(watcher->finished.size(), 2U);
}

TEST_F(ObserverTest, HooksNobodyWaitsForAreSeenToo) {
  auto watcher = std::make_shared<Watcher>();
  {
    EngineOptions watched = options();
    watched.host.observer = watcher;
    watched.configs.push_back({"claude", "", json(R"({"hooks":{"PreToolUse":[{"hooks":[
      {"type":"command","command":"cat >/dev/null; echo seen","async":true}]}]}})")});
    Engine::create(std::move(watched))->fire(pre_tool("Bash", R"({"command":"ls"})"));
  }
  ASSERT_EQ(watcher->finished.size(), 1U);
  EXPECT_EQ(watcher->finished[0].output, "seen\n");
  EXPECT_EQ(json(watcher->finished[0].input)["tool_name"], Json::string("Bash"));
}

// Kimi 82.
TEST_F(ObserverTest, AWatcherThatThrowsChangesNothing) {
  class Thrower final : public HookObserver {
    void hooks_started(const Event&, const std::vector<std::string>&) override { throw std::runtime_error("oh"); }
    void hook_finished(const HookRun&) override { throw std::runtime_error("no"); }
  };
  EngineOptions watched = options();
  watched.host.observer = std::make_shared<Thrower>();
  watched.configs.push_back({"claude", "", json(R"({"hooks":{"PreToolUse":[{"hooks":[
    {"type":"command","command":"echo no >&2; exit 2"},{"type":"command","command":"true","async":true}]}]}})")});
  EXPECT_TRUE(Engine::create(std::move(watched))->fire(pre_tool("Bash", R"({"command":"ls"})")).denied());
}

}  // namespace
}  // namespace grapnel::testing
